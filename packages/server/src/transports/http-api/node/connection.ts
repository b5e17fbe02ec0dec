import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterDelay, afterTurn, elapsed } from "spillway/support";
import type { OnAnswered, OnClosed } from "./bounds.ts";

/** A request and its response. */
type HttpExchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** The time that a request still has, and whether it has arrived. */
type RequestTimeout = {
  readonly ms: number;
  readonly end: () => void;
  came: IncomingMessage | undefined;
};

/** Shared by all connections of a server. */
export type ConnectionContext = {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** The maximum number of requests on one connection. */
  readonly maxRequests: number;
  /** Called after each response. */
  readonly onAnswered: OnAnswered | undefined;
  /** Called when a response has left, or its connection is gone. */
  readonly onClosed: OnClosed | undefined;
  /** The number of waiting requests of all connections. */
  waiting: number;
  /** Whether reading is paused on all connections. */
  isResting: boolean;
};

const CLOSE = ["connection", "close"] as const;

/**
 * A connection that handles its requests one after the other, in order.
 *
 * A pipelined request waits until the previous response has left the process. Meanwhile nothing is
 * read. So the waiting requests are at most what Node read at once, 64 KiB, and at most one
 * response waits to be written.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #shared: ConnectionContext;
  #begun = 0;
  #current: HttpExchange | undefined;
  /** The start of the current request, by the clock of `elapsed`. */
  #since = 0;
  #last: HttpExchange | undefined;
  #waiting: HttpExchange[] = [];
  /** Ends the connection if a request that Node no longer times does not arrive in time. */
  #allowance: RequestTimeout | undefined;
  /** Runs instead of further reads, once all earlier requests have been answered. */
  #ending: (() => void) | undefined;

  constructor(socket: Socket, shared: ConnectionContext) {
    this.#socket = socket;
    this.#shared = shared;
    socket.once("close", () => this.#forget());
    // Reading a body makes Node read from the connection again.
    socket.on("resume", () => this.readOn());
  }

  /** Whether it works on a response, and none waits to be written. */
  get isWorking(): boolean {
    const answered = this.#current?.response.writableEnded ?? true;
    return !answered && this.#socket.writableLength === 0;
  }

  /** Resumes or pauses reading, depending on the state. */
  readOn(): void {
    if (this.#shared.isResting || this.#waiting.length > 0) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** Handles a request now, or when it is its turn. */
  add(exchange: HttpExchange): void {
    if (this.#ending !== undefined) return;
    this.#last = exchange;
    if (this.#allowance !== undefined) this.#allowance.came ??= exchange.request;
    if (this.#current === undefined) this.#begin(exchange);
    else this.#wait(exchange);
  }

  /** Whether a late request is late only because reading was paused. */
  get isHeldUp(): boolean {
    return this.#waiting.length > 0;
  }

  /** Gives the arriving request its whole time again, from the moment reading resumes. */
  allow(ms: number, end: () => void): void {
    this.#allowance = { ms, end, came: undefined };
  }

  /**
   * Ends the connection because of a broken request: at once if that request is being handled,
   * otherwise after all earlier requests have been answered. Only the first call has an effect.
   */
  end(how: () => void): void {
    if (this.#ending !== undefined) return;
    this.#ending = how;
    const broken = this.#last?.request.complete === false ? this.#last : undefined;
    // The request has been answered, and the client would take a second response for that of
    // another request.
    if (broken?.response.headersSent) this.#socket.destroy();
    else if (broken === this.#current) how();
    else if (broken !== undefined) this.#dropLast();
  }

  #wait(exchange: HttpExchange): void {
    this.#waiting.push(exchange);
    this.#shared.waiting++;
    this.#keepOpen();
    if (this.#waiting.length === 1) this.#socket.pause();
  }

  #begin(exchange: HttpExchange): void {
    this.#current = exchange;
    if (this.#shared.onAnswered !== undefined) this.#since = elapsed();
    exchange.response.once("close", this.#done);
    // Node's own bound sets this header too, but leaves the connection open.
    if (++this.#begun >= this.#shared.maxRequests) exchange.response.setHeader(...CLOSE);
    this.#shared.handle(exchange.request, exchange.response);
    this.#keepOpen();
  }

  /**
   * While the server closes, each response is marked as the last. Undone if other requests wait.
   */
  #keepOpen(): void {
    const response = this.#current?.response;
    if (this.#waiting.length === 0 || this.#begun >= this.#shared.maxRequests) return;
    if (response?.headersSent === false) response.removeHeader(CLOSE[0]);
  }

  /** The next request has its turn after other connections have had theirs. */
  readonly #done = (): void => {
    if (this.#current !== undefined) this.#report(this.#current);
    if (this.#waiting.length > 0) afterTurn(this.#next);
    else this.#idle();
  };

  /** Reports the end of a response: without a status if the client has disconnected. */
  #report({ request, response }: HttpExchange): void {
    this.#shared.onClosed?.(this.#socket, response);
    if (this.#shared.onAnswered === undefined) return;
    const status = response.writableFinished ? response.statusCode : "gone";
    const ms = elapsed() - this.#since;
    this.#shared.onAnswered({ path: request.url ?? "", status, ms });
  }

  readonly #next = (): void => {
    // Requests after a last response are not handled, because they could not be answered.
    if (!this.#socket.writable) this.#forget();
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#idle();
      return;
    }
    this.#shared.waiting--;
    if (this.#waiting.length === 0) this.#goOn();
    this.#begin(next);
  };

  #goOn(): void {
    this.readOn();
    const allowance = this.#allowance;
    if (allowance === undefined) return;
    afterDelay(allowance.ms, () => {
      if (this.#allowance === allowance) this.#allowance = undefined;
      if (allowance.came?.complete !== true) this.end(allowance.end);
    });
  }

  #idle(): void {
    this.#current = undefined;
    if (this.#last?.request.complete) this.#last = undefined;
    this.#ending?.();
  }

  #dropLast(): void {
    this.#waiting.pop();
    this.#shared.waiting--;
  }

  #forget(): void {
    this.#shared.waiting -= this.#waiting.length;
    this.#waiting = [];
    // Unread bytes at the close cause a reset.
    if (!this.#socket.destroyed) this.readOn();
  }
}
