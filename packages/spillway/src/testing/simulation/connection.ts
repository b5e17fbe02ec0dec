import type { Work } from "../../shedding/index.ts";
import type { Cpu } from "./cpu.ts";
import type { EventLoop } from "./event-loop.ts";
import type { SimulatedRequest } from "./traffic.ts";

/** The runtime's own class; only these members are used. */
declare class AbortController {
  readonly signal: CloseSignal;
  abort(): void;
}

/**
 * An `AbortSignal` that aborts once the process notices that the client has closed the connection.
 */
export type CloseSignal = NonNullable<Work["signal"]>;

/**
 * The response that a client receives. `retryAfter` is in milliseconds; 0 if the request was
 * served.
 */
export type SimulatedResponse = { readonly isServed: boolean; readonly retryAfter: number };

/** A request and the callbacks for its response. */
export type SimulatedExchange = {
  readonly request: SimulatedRequest;
  /** The instant until which the client waits; undefined if the server does not know it. */
  readonly deadline: number | undefined;
  /** Called when the response begins. */
  readonly answer: (answer: SimulatedResponse) => void;
  /** Called when the response has ended. */
  readonly end: () => void;
};

/** An exchange as the process sees it. */
export type IncomingExchange = SimulatedExchange & {
  /** Whether the client is still connected. The process itself notices a disconnect only later. */
  readonly isConnected: () => boolean;
  readonly gone: CloseSignal | undefined;
};

/** The server's side of all connections. */
export type ServerSide = {
  readonly loop: EventLoop;
  readonly cpu: Cpu;
  /** Queues a callback that is due now. Promises of the shedder continue after it. */
  readonly deliver: (call: () => void) => void;
  readonly read: (incoming: IncomingExchange) => void;
  /** Whether each request has a signal that aborts when its client disconnects. */
  readonly signalsAborts: boolean;
  /**
   * The CPU time to notice that a client has closed a connection and to close it too, in
   * milliseconds.
   */
  readonly closeCost: number;
};

/**
 * One connection to the process. A request that was sent waits until the process reads it.
 *
 * As in `node:http`, one turn of the event loop reads a request, and a later turn notices that the
 * client has closed. Listeners for that are called after the check phase.
 */
export class SimulatedConnection {
  readonly #side: ServerSide;
  #isAccepted: boolean;
  #isClosed = false;
  /** The exchange that was sent and not read yet. */
  #unread: SimulatedExchange | undefined;
  /** The abort controller of the last request that was read, until its response has ended. */
  #gone: AbortController | undefined;

  /** @param options.isAccepted Whether the connection was opened before the simulation began. */
  constructor(side: ServerSide, { isAccepted }: { readonly isAccepted: boolean }) {
    this.#side = side;
    this.#isAccepted = isAccepted;
  }

  /** Whether the client has closed the connection. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Sends a request. A connection carries one request at a time: the response has to end before the
   * next one.
   */
  send(exchange: SimulatedExchange): void {
    this.#unread = exchange;
    if (this.#isAccepted) this.#becomeReadable();
  }

  /**
   * Closes the connection from the client's side. The process notices after it has read everything
   * that was sent before.
   */
  close(): void {
    this.#isClosed = true;
    if (this.#isAccepted && this.#unread === undefined) this.#end();
  }

  /** Called when the process accepts the connection. It reads from the next turn on. */
  accept(): void {
    this.#isAccepted = true;
    if (this.#unread !== undefined) this.#becomeReadable();
    else if (this.#isClosed) this.#end();
  }

  /** Called when the response to the last request has ended. */
  finish(): void {
    this.#gone = undefined;
  }

  #becomeReadable(): void {
    this.#side.deliver(() => this.#read());
  }

  #read(): void {
    const { read, signalsAborts } = this.#side;
    const exchange = this.#unread as SimulatedExchange;
    this.#unread = undefined;
    this.#gone = signalsAborts ? new AbortController() : undefined;
    // After this request, the end of the connection is the next thing to read.
    if (this.#isClosed) this.#end();
    read({ ...exchange, isConnected: () => !this.#isClosed, gone: this.#gone?.signal });
  }

  /** Makes the client's close readable for the process. */
  #end(): void {
    const { loop, cpu, deliver, closeCost } = this.#side;
    deliver(() => {
      cpu.run({ what: "close", ms: closeCost });
      loop.afterChecks(() => this.#gone?.abort());
    });
  }
}
