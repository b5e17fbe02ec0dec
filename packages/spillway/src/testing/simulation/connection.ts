import type { Work } from "../../shedding/index.ts";
import type { Cpu } from "./cpu.ts";
import type { EventLoop } from "./event-loop.ts";
import type { SimulatedRequest } from "./traffic.ts";

/** The runtime's own, of which only this is needed. */
declare class AbortController {
  readonly signal: CloseSignal;
  abort(): void;
}

/** An `AbortSignal` that aborts once the process knows that the client has closed. */
export type CloseSignal = NonNullable<Work["signal"]>;

/** What the client gets; `retryAfter` is in ms, and 0 where it was served. */
export type SimulatedResponse = { readonly isServed: boolean; readonly retryAfter: number };

/** A request on its way, and its response. */
export type SimulatedExchange = {
  readonly request: SimulatedRequest;
  /** Until when its client waits, where the server knows. */
  readonly deadline: number | undefined;
  /** The response begins. */
  readonly answer: (answer: SimulatedResponse) => void;
  /** The response has ended. */
  readonly end: () => void;
};

/** An exchange as the process has it. */
export type IncomingExchange = SimulatedExchange & {
  /** Whether its client is still connected; the process learns that later. */
  readonly isConnected: () => boolean;
  readonly gone: CloseSignal | undefined;
};

/** What the process does with its connections. */
export type ServerSide = {
  readonly loop: EventLoop;
  readonly cpu: Cpu;
  readonly read: (incoming: IncomingExchange) => void;
  /** Whether each request has a signal that its client has gone. */
  readonly signalsAborts: boolean;
  /** CPU time in ms to see that a client has closed, and to close as well. */
  readonly closeCost: number;
};

/**
 * One connection to the process: what its client has sent waits until the process reads it.
 *
 * As with `node:http`, one turn of the event loop reads a request, and a later one sees that the
 * client has closed; what listens for that is called after the check phase.
 */
export class SimulatedConnection {
  readonly #side: ServerSide;
  #isAccepted: boolean;
  #isClosed = false;
  /** Sent, and not read yet. */
  #unread: SimulatedExchange | undefined;
  /** Of the request that was read last, until its response has ended. */
  #gone: AbortController | undefined;

  /** @param options.isAccepted Whether it was opened before the simulation began. */
  constructor(side: ServerSide, { isAccepted }: { readonly isAccepted: boolean }) {
    this.#side = side;
    this.#isAccepted = isAccepted;
  }

  /** Whether the client has closed it. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The client sends a request: one at a time, the next after the response has ended. */
  send(exchange: SimulatedExchange): void {
    this.#unread = exchange;
    if (this.#isAccepted) this.#becomeReadable();
  }

  /** The client closes it. The process sees that after it has read what was sent before. */
  close(): void {
    this.#isClosed = true;
    if (this.#isAccepted && this.#unread === undefined) this.#end();
  }

  /** The process has accepted it, and reads from the next turn on. */
  accept(): void {
    this.#isAccepted = true;
    if (this.#unread !== undefined) this.#becomeReadable();
    else if (this.#isClosed) this.#end();
  }

  /** The response to what was read has ended. */
  finish(): void {
    this.#gone = undefined;
  }

  #becomeReadable(): void {
    this.#side.loop.deliver(() => this.#read());
  }

  #read(): void {
    const { read, signalsAborts } = this.#side;
    const exchange = this.#unread as SimulatedExchange;
    this.#unread = undefined;
    this.#gone = signalsAborts ? new AbortController() : undefined;
    // Once this has been read, the next thing to read is the end.
    if (this.#isClosed) this.#end();
    read({ ...exchange, isConnected: () => !this.#isClosed, gone: this.#gone?.signal });
  }

  /** The end of what the client sends becomes readable. */
  #end(): void {
    const { loop, cpu, closeCost } = this.#side;
    loop.deliver(() => {
      cpu.run({ what: "close", ms: closeCost });
      loop.afterChecks(() => this.#gone?.abort());
    });
  }
}
