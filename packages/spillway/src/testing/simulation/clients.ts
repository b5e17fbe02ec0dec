import type { Random } from "../../limits/core/index.ts";
import type { SimulatedConnection, SimulatedResponse } from "./connection.ts";
import type { SimulatedConnections } from "./connections.ts";
import type { Count, Recorder, RequestTally } from "./recording.ts";
import type { ClientOptions, SimulatedRequest } from "./traffic.ts";
import type { VirtualTime } from "./virtual-time.ts";

const DEFAULTS: Required<ClientOptions> = {
  connections: "kept",
  closes: false,
  deadline: 1000,
  attempts: 1,
  backoff: 100,
  honoursRetryAfter: false,
  tellsDeadline: false,
};

type ClientParts = {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly connections: SimulatedConnections;
  readonly recorder: Recorder;
  readonly options: ClientOptions;
};

/** One attempt to send a request: the first one or a retry. */
type Attempt = {
  readonly request: SimulatedRequest;
  readonly options: Required<ClientOptions>;
  readonly number: number;
  readonly sent: number;
  readonly tallies: readonly RequestTally[];
  readonly connection: SimulatedConnection;
  isTimedOut: boolean;
  isAnswered: boolean;
};

/** Simulated clients. They send requests, wait until the deadline, and may retry. */
export class Clients {
  readonly #parts: ClientParts;
  #unanswered = 0;
  #retrying = 0;
  #lastSeen = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** The number of attempts without an answer yet, also those whose client no longer waits. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** The number of requests that wait for their next attempt. */
  get retrying(): number {
    return this.#retrying;
  }

  /** When the last attempt was sent or answered, in milliseconds since the simulation began. */
  get lastSeen(): number {
    return this.#lastSeen;
  }

  /** Sends a new request. */
  send(request: SimulatedRequest): void {
    this.#count(request, "arrived");
    const options = { ...DEFAULTS, ...this.#parts.options, ...request.route.client };
    this.#attempt({ request, options, number: 1 });
  }

  #attempt(which: Pick<Attempt, "request" | "options" | "number">): void {
    const { time, recorder, connections } = this.#parts;
    const { request, options } = which;
    const sent = time.now;
    const tallies = recorder.tallies(sent, request);
    const connection = connections.take(options.connections);
    const attempt = { ...which, sent, tallies, connection, isTimedOut: false, isAnswered: false };
    const end = sent + options.deadline;
    for (const tally of tallies) tally.offered++;
    this.#unanswered++;
    this.#lastSeen = sent;
    if (end < Infinity) time.plan({ at: end, call: () => this.#expire(attempt) });
    connection.send({
      request,
      deadline: options.tellsDeadline ? end : undefined,
      answer: (answer) => this.#receive(attempt, answer),
      end: () => connections.release(connection, options.connections),
    });
  }

  #expire(attempt: Attempt): void {
    if (attempt.isAnswered) return;
    attempt.isTimedOut = true;
    for (const tally of attempt.tallies) tally.timedOut++;
    if (attempt.options.closes) this.#close(attempt.connection);
    this.#retry(attempt, 0);
  }

  #close(connection: SimulatedConnection): void {
    if (!this.#parts.connections.close(connection)) this.#unanswered--;
  }

  #receive(attempt: Attempt, { isServed, retryAfter }: SimulatedResponse): void {
    const { tallies, sent, isTimedOut } = attempt;
    attempt.isAnswered = true;
    this.#unanswered--;
    this.#lastSeen = this.#parts.time.now;
    if (isServed) {
      for (const tally of tallies) tally.latencies.push(this.#lastSeen - sent);
      this.#countServed(attempt);
    } else if (!isTimedOut) {
      for (const tally of tallies) tally.shed++;
      this.#retry(attempt, retryAfter);
    }
  }

  #countServed({ request, tallies, isTimedOut }: Attempt): void {
    for (const tally of tallies) {
      if (isTimedOut) tally.timedOut--;
      tally[isTimedOut ? "late" : "served"]++;
    }
    if (!isTimedOut) this.#count(request, "succeeded");
  }

  /** Counts a request in the bucket in which it arrived, even if the event happens later. */
  #count(request: SimulatedRequest, what: Count): void {
    for (const tally of this.#parts.recorder.tallies(request.arrived, request)) tally[what]++;
  }

  #retry({ request, options, number }: Attempt, retryAfter: number): void {
    if (number >= options.attempts) return;
    const { time, random } = this.#parts;
    const least = options.honoursRetryAfter ? retryAfter : 0;
    if (least === Infinity) return;
    const wait = least + random() * options.backoff * 2 ** (number - 1);
    const again = () => {
      this.#retrying--;
      this.#attempt({ request, options, number: number + 1 });
    };
    this.#retrying++;
    time.plan({ at: time.now + wait, call: again });
  }
}
