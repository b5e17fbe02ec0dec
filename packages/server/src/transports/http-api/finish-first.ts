import type { ServerResponse } from "node:http";
import { Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterTurn, alarm, elapsed } from "spillway/support";
import { connectionEvent } from "../intake/index.ts";
import {
  type CloseTimes,
  type Closing,
  ClosingConnection,
  type PendingReply,
} from "./closing-connection.ts";
import type { TurnGate } from "./gather.ts";

/** The times of a stop, in milliseconds. */
export type StopTimes = CloseTimes & {
  /** The time without new connections after which the server stops listening. */
  readonly arrivals: number;
  /** The bound on the whole stop. Requests without a response by then receive a 503. */
  readonly whole: number;
};

export const STOP_TIMES: StopTimes = { quiet: 1000, arrivals: 3000, whole: 7000, linger: 1000 };

/** How often a closing server checks its connections, in milliseconds. */
const CHECK_EVERY = 10;

/**
 * Responses are held until no client has connected for `quiet` milliseconds, but at most for
 * `longest`.
 */
const HOLD = { quiet: 100, longest: 500 };

/** A stop, for routes and for the server that is stopped. */
export type StopState = {
  readonly isStopping: boolean;
  /** To be called when a response has left: an idle connection must not hold its last request. */
  ended(socket: Socket, response: ServerResponse): void;
};

/**
 * Lets a closing server answer every request that reaches it, and end each connection with
 * `Connection: close` on its last response.
 *
 * The server listens until no client has connected for a while. Only clients that do not close
 * within `linger` see a reset.
 */
export function finishFirst(app: FastifyInstance, gate: TurnGate, times = STOP_TIMES): StopState {
  const stopper = new GracefulStop(app.server, gate, times);
  app.addHook("onRequest", ({ raw }, reply, proceed) => {
    if (stopper.begins(raw.socket, reply)) return proceed();
    // The client would not receive a response. The rest of the request is read, because unread
    // bytes cause a reset.
    reply.hijack();
    raw.resume();
  });
  app.addHook("preClose", () => stopper.run());
  return stopper;
}

/** The stop of a server, over all its connections. */
export class GracefulStop implements StopState {
  readonly #server: Server;
  readonly #gate: TurnGate;
  readonly #times: StopTimes;
  readonly #closingOf: (socket: Socket) => Closing;
  readonly #connections = new Map<Socket, Closing>();
  /** Under TLS, connections are below those, from before their handshake on. */
  readonly #accepted = new Set<Socket>();
  #lastArrival = Number.NEGATIVE_INFINITY;
  isStopping = false;
  #isOver = false;

  /** `closingOf` is how a connection ends. Default: as one of HTTP/1.1. */
  constructor(
    server: Server,
    gate: TurnGate,
    times: StopTimes,
    closingOf = (socket: Socket): Closing => new ClosingConnection(socket),
  ) {
    this.#server = server;
    this.#closingOf = closingOf;
    this.#gate = gate;
    this.#times = times;
    const event = connectionEvent(server);
    server.on(event, (socket: Socket) => this.#arrived(socket));
    if (event !== "connection") server.on("connection", (socket) => this.#accept(socket));
  }

  begins(socket: Socket, reply: PendingReply): boolean {
    return this.#connections.get(socket)?.begins?.(reply) ?? true;
  }

  ended(socket: Socket, response: ServerResponse): void {
    this.#connections.get(socket)?.ended?.(response);
  }

  async run(): Promise<void> {
    const { arrivals, whole, linger } = this.#times;
    const start = elapsed();
    this.isStopping = true;
    for (const connection of this.#all) connection.prepare(this.#times);
    await this.#until(() => this.#areArrivalsOver, start + arrivals);
    await this.#stopListening();
    await this.#until(() => this.#connections.size === 0, start + whole);
    for (const connection of this.#all) connection.giveUp();
    await this.#until(() => this.#connections.size === 0, elapsed() + linger);
    this.#isOver = true;
    await this.#destroyAll();
  }

  /**
   * A client that reads nothing, does not close its side, or has not ended its handshake would keep
   * the process.
   */
  async #destroyAll(): Promise<void> {
    const left = [...this.#connections.keys(), ...this.#accepted];
    const closed = left.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of left) socket.destroy();
    await Promise.all(closed);
  }

  #accept(socket: Socket): void {
    this.#accepted.add(socket);
    socket.once("close", () => this.#accepted.delete(socket));
  }

  #arrived(socket: Socket): void {
    if (this.#isOver) {
      socket.destroy();
      return;
    }
    const connection = this.#closingOf(socket);
    this.#connections.set(socket, connection);
    this.#lastArrival = elapsed();
    socket.once("close", () => this.#connections.delete(socket));
    if (this.isStopping) connection.prepare(this.#times);
  }

  /**
   * The kernel resets connections that wait to be accepted when a server stops listening. So while
   * clients still connect, responses are held: clients that wait for a response do not connect
   * again.
   */
  async #stopListening(): Promise<void> {
    this.#gate.hold();
    const start = elapsed();
    const haveAllConnected = () =>
      this.#areArrivalsOver || elapsed() - Math.max(start, this.#lastArrival) >= HOLD.quiet;
    await this.#until(haveAllConnected, start + HOLD.longest);
    // Closes only the listening socket: an HTTP server's own `close` also cuts idle connections.
    if (this.#server.listening) Server.prototype.close.call(this.#server);
    this.#gate.release();
  }

  get #areArrivalsOver(): boolean {
    return elapsed() - this.#lastArrival >= this.#times.quiet;
  }

  /** Waits, and closes connections that have become quiet. */
  async #until(isOver: () => boolean, end: number): Promise<void> {
    while (!isOver() && elapsed() < end) {
      for (const connection of this.#all) connection.closeIfQuiet();
      // After the turn, because everything that has arrived has been read by then.
      await new Promise<void>((resolve) => alarm(CHECK_EVERY, () => afterTurn(resolve)));
    }
  }

  get #all(): Iterable<Closing> {
    return this.#connections.values();
  }
}
