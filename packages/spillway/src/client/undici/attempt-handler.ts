/** The events of one attempt in undici, kept until they are passed on or dropped. */
import type { ClientResponse } from "../../http/advice/index.ts";
import { headerReader } from "../requests/request.ts";
import type { UndiciControl, UndiciController } from "./control.ts";

/** A `DispatchHandler`, with callbacks of any signature. */
export type Handlers = { [event: string]: ((...values: unknown[]) => void) | undefined };

/** A response that has begun. */
export type StartedResponse = ClientResponse & {
  /**
   * Passes on the events that have come, and later ones as they come. @throws what the handler
   * throws
   */
  pass(): void;
  /** Calls `end` when the response is over; at once if it already is. */
  whenOver(end: () => void): void;
};

/** The handler that receives the response, and its controller. */
export type ResponseReceiver = { readonly handler: Handlers; readonly control: UndiciControl };

/** Receives a response as soon as it begins, or the error if there is none. */
export type ResponseSettler = {
  readonly resolve: (held: StartedResponse) => void;
  readonly reject: (error: unknown) => void;
};

type HandlerCall = (handler: Handlers) => void;

/**
 * The maximum number of bytes that are read of a refusal's body, so that its connection can be
 * reused. A longer body ends with its connection.
 */
const MOST_DRAINED = 65_536;

/** The `DispatchHandler` of one attempt, for undici 7. */
export class AttemptHandler {
  readonly #receiver: ResponseReceiver;
  readonly #settle: ResponseSettler;
  /** The events that are to be passed on; undefined once they are passed on as they come. */
  #calls: HandlerCall[] | undefined = [];
  readonly #ends = new Set<() => void>();
  #hasAnswered = false;
  #isOver = false;
  /** Whether the response is dropped; and how many bytes are still read then. */
  #isDropped = false;
  #left = MOST_DRAINED;

  constructor(receiver: ResponseReceiver, settle: ResponseSettler) {
    this.#receiver = receiver;
    this.#settle = settle;
  }

  onRequestStart(real: UndiciController): void {
    this.#receiver.control.begin(real);
  }

  onRequestUpgrade(_: unknown, status: number, headers: object, socket: unknown): void {
    this.#later("onRequestUpgrade", status, headers, socket);
    this.#answered(status, headers);
    this.#over();
  }

  onResponseStart(_: unknown, status: number, headers: object, message?: string): void {
    this.#later("onResponseStart", status, headers, message);
    if (status >= 200) this.#answered(status, headers);
  }

  onResponseData(real: UndiciController, chunk: { readonly length: number }): void {
    if (this.#isDropped) this.#drain(real, chunk.length);
    else this.#later("onResponseData", chunk);
  }

  onResponseEnd(_: unknown, trailers: unknown): void {
    this.#later("onResponseEnd", trailers);
    this.#over();
  }

  onResponseError(_: unknown, error: unknown): void {
    if (this.#hasAnswered) this.#later("onResponseError", error);
    else this.#settle.reject(error);
    this.#over();
  }

  #later(event: string, ...values: unknown[]): void {
    const { handler, control } = this.#receiver;
    if (this.#calls === undefined) handler[event]?.(control, ...values);
    else this.#calls.push((to) => to[event]?.(control, ...values));
  }

  /** Resolves with the response. Pauses its body until it is clear whether it is passed on. */
  #answered(status: number, headers: object): void {
    this.#hasAnswered = true;
    const header = headerReader(headers);
    this.#receiver.control.pause();
    this.#settle.resolve({
      status,
      headers: { get: (name) => header(name) ?? null },
      body: { cancel: () => this.#drop() },
      pass: () => this.#pass(),
      whenOver: (end) => {
        if (this.#isOver) end();
        else this.#ends.add(end);
      },
    });
  }

  #pass(): void {
    const { handler, control } = this.#receiver;
    const held = this.#calls ?? [];
    this.#calls = undefined;
    try {
      for (const call of held) call(handler);
    } catch (error) {
      // The error ends the request. The handler receives no later events of this response.
      this.#calls = [];
      control.abort(error);
      throw error;
    }
    control.resume();
  }

  #drop(): void {
    this.#isDropped = true;
    this.#calls = [];
    this.#receiver.control.resume();
  }

  #drain(real: UndiciController, length: number): void {
    this.#left -= length;
    if (this.#left >= 0) return;
    real.abort?.(new Error("the body of a refusal was too long to read"));
  }

  #over(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
  }
}
