/** What comes of sending a request once, by undici: kept until it is passed on, or let go. */
import type { ClientResponse } from "../../http/advice/index.ts";
import { headerReader } from "../requests/request.ts";
import type { UndiciControl, UndiciController } from "./control.ts";

/** A `DispatchHandler`, whatever it makes of what it receives. */
export type Handlers = { [event: string]: ((...values: unknown[]) => void) | undefined };

/** An answer that has begun. */
export type StartedResponse = ClientResponse & {
  /** Hands on what has come, and what comes. @throws what the handler throws */
  pass(): void;
  /** Calls back when it is over. */
  whenOver(end: () => void): void;
};

/** Whose answer it is. */
export type ResponseReceiver = { readonly handler: Handlers; readonly control: UndiciControl };

/** Receives an answer as soon as it begins, or the error for which there is none. */
export type ResponseSettler = {
  readonly resolve: (held: StartedResponse) => void;
  readonly reject: (error: unknown) => void;
};

type HandlerCall = (handler: Handlers) => void;

/** A refusal is read to its end, for its connection serves again; a longer one ends with its connection. */
const MOST_DRAINED = 65_536;

/** A `DispatchHandler` of undici 7 for one attempt. */
export class AttemptHandler {
  readonly #receiver: ResponseReceiver;
  readonly #settle: ResponseSettler;
  /** What is to be passed on; undefined once it is passed on as it comes. */
  #calls: HandlerCall[] | undefined = [];
  readonly #ends = new Set<() => void>();
  #hasAnswered = false;
  #isOver = false;
  /** Whether nobody wants it; then so many bytes are read all the same. */
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

  /** Its body waits until it is clear whose it is. */
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
      // It ends the request, and is all that the handler receives of its end.
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
    real.abort?.(new Error("a refusal's body was too long to be read to its end"));
  }

  #over(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
  }
}
