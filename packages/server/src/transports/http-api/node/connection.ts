import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterDelay, afterTurn, elapsed } from "spillway/support";
import type { OnAnswered } from "./bounds.ts";

/** A request, and the response to it. */
type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** How long a request may still take, and whether it has come. */
type Allowance = {
  readonly ms: number;
  readonly end: () => void;
  came: IncomingMessage | undefined;
};

/** Shared by all connections of a server. */
export type Shared = {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** The most requests that one connection may carry. */
  readonly maxRequests: number;
  /** Receives requests that have their answer. */
  readonly onAnswered: OnAnswered | undefined;
  /** Requests that wait, of all connections. */
  waiting: number;
  /** Nothing is read from any connection. */
  isResting: boolean;
};

const CLOSE = ["connection", "close"] as const;

/**
 * One connection, whose requests are handled one after the other, in the order in which they came.
 *
 * A pipelined request waits until the answer before its own has left the process. Meanwhile nothing
 * is read, so that what waits is at most what Node read in one piece, 64 KiB, and what waits to be
 * written is at most one answer.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #shared: Shared;
  #begun = 0;
  #current: Exchange | undefined;
  /** When it was begun, by the clock of `elapsed`. */
  #since = 0;
  #last: Exchange | undefined;
  #waiting: Exchange[] = [];
  /** What ends it if the request that Node times no more does not arrive in time all the same. */
  #allowance: Allowance | undefined;
  /** What is to be done instead of reading on, when all that came before it has been answered. */
  #ending: (() => void) | undefined;

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
    socket.once("close", () => this.#forget());
    // Who reads a body makes Node read from the connection again.
    socket.on("resume", () => this.readOn());
  }

  /** Whether it works on an answer of which nothing waits to be written. */
  get isWorking(): boolean {
    const answered = this.#current?.response.writableEnded ?? true;
    return !answered && this.#socket.writableLength === 0;
  }

  /** Reads from the connection, or does not, as it should be now. */
  readOn(): void {
    if (this.#shared.isResting || this.#waiting.length > 0) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** Handles a request now, or when its turn has come. */
  add(exchange: Exchange): void {
    if (this.#ending !== undefined) return;
    this.#last = exchange;
    if (this.#allowance !== undefined) this.#allowance.came ??= exchange.request;
    if (this.#current === undefined) this.#begin(exchange);
    else this.#wait(exchange);
  }

  /** Whether a request that is late has only not been read, for others wait. */
  get isHeldUp(): boolean {
    return this.#waiting.length > 0;
  }

  /** Gives the request that is arriving its whole time again, from when reading goes on. */
  allow(ms: number, end: () => void): void {
    this.#allowance = { ms, end, came: undefined };
  }

  /**
   * Ends the connection because of what came last, which is broken: at once where that is being
   * handled, else when all before it has been answered. Only the first end counts.
   */
  end(how: () => void): void {
    if (this.#ending !== undefined) return;
    this.#ending = how;
    const broken = this.#last?.request.complete === false ? this.#last : undefined;
    // It has its answer: a second one would be taken for that to another request.
    if (broken?.response.headersSent) this.#socket.destroy();
    else if (broken === this.#current) how();
    else if (broken !== undefined) this.#dropLast();
  }

  #wait(exchange: Exchange): void {
    this.#waiting.push(exchange);
    this.#shared.waiting++;
    this.#keepOpen();
    if (this.#waiting.length === 1) this.#socket.pause();
  }

  #begin(exchange: Exchange): void {
    this.#current = exchange;
    if (this.#shared.onAnswered !== undefined) this.#since = elapsed();
    exchange.response.once("close", this.#done);
    // Node's own bound says so as well, but leaves the connection open.
    if (++this.#begun >= this.#shared.maxRequests) exchange.response.setHeader(...CLOSE);
    this.#shared.handle(exchange.request, exchange.response);
    this.#keepOpen();
  }

  /** While the server closes, each answer is meant to be the last: not where others wait. */
  #keepOpen(): void {
    const response = this.#current?.response;
    if (this.#waiting.length === 0 || this.#begun >= this.#shared.maxRequests) return;
    if (response?.headersSent === false) response.removeHeader(CLOSE[0]);
  }

  /** The next one has its turn after the other connections have had theirs. */
  readonly #done = (): void => {
    if (this.#shared.onAnswered !== undefined && this.#current !== undefined)
      this.#report(this.#current);
    if (this.#waiting.length > 0) afterTurn(this.#next);
    else this.#idle();
  };

  /** One that its client has not waited for has no status. */
  #report({ request, response }: Exchange): void {
    const status = response.writableFinished ? response.statusCode : "gone";
    const ms = elapsed() - this.#since;
    this.#shared.onAnswered?.({ path: request.url ?? "", status, ms });
  }

  readonly #next = (): void => {
    // What comes after a last answer is not handled, for it could not be answered.
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
    // What is left unread when it is closed causes a reset.
    if (!this.#socket.destroyed) this.readOn();
  }
}
