import type { Random } from "../../core/index.ts";
import type { Recorder, Tally } from "./recording.ts";
import type { Answer, Server } from "./server.ts";
import type { ClientOptions, Request } from "./traffic.ts";
import type { VirtualTime } from "./virtual-time.ts";

const DEFAULTS: Required<ClientOptions> = {
  deadline: 1000,
  attempts: 1,
  backoff: 100,
  honoursRetryAfter: false,
  tellsDeadline: false,
};

type Parts = {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly server: Server;
  readonly recorder: Recorder;
  readonly options: ClientOptions;
};

/** A request that is sent, for the first time or again. */
type Attempt = {
  readonly request: Request;
  readonly options: Required<ClientOptions>;
  readonly number: number;
  readonly sent: number;
  readonly tally: Tally;
  isTimedOut: boolean;
  isAnswered: boolean;
};

/** Those who send requests, wait until the deadline, and maybe try again. */
export class Clients {
  readonly #parts: Parts;
  #unanswered = 0;
  #retrying = 0;
  #lastSeen = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many attempts the server has yet to answer, whether or not somebody waits for it. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** How many requests will be sent again. */
  get retrying(): number {
    return this.#retrying;
  }

  /** When something was last sent or answered. */
  get lastSeen(): number {
    return this.#lastSeen;
  }

  /** Sends a new request. */
  send(request: Request): void {
    this.#parts.recorder.tally(request.arrived, request.priority).arrived++;
    const options = { ...DEFAULTS, ...this.#parts.options, ...request.route.client };
    this.#attempt({ request, options, number: 1 });
  }

  #attempt(which: Pick<Attempt, "request" | "options" | "number">): void {
    const { time, server, recorder } = this.#parts;
    const { request, options } = which;
    const sent = time.now;
    const tally = recorder.tally(sent, request.priority);
    const attempt = { ...which, sent, tally, isTimedOut: false, isAnswered: false };
    const end = sent + options.deadline;
    tally.offered++;
    this.#unanswered++;
    this.#lastSeen = sent;
    if (end < Infinity) time.plan({ at: end, call: () => this.#expire(attempt) });
    const deadline = options.tellsDeadline ? end : undefined;
    server.receive({ request, deadline, answer: (answer) => this.#receive(attempt, answer) });
  }

  #expire(attempt: Attempt): void {
    if (attempt.isAnswered) return;
    attempt.isTimedOut = true;
    attempt.tally.timedOut++;
    this.#retry(attempt, 0);
  }

  #receive(attempt: Attempt, { isServed, retryAfter }: Answer): void {
    const { tally, sent, isTimedOut } = attempt;
    attempt.isAnswered = true;
    this.#unanswered--;
    this.#lastSeen = this.#parts.time.now;
    if (isServed) {
      tally.latencies.push(this.#lastSeen - sent);
      this.#countServed(attempt);
    } else if (!isTimedOut) {
      tally.shed++;
      this.#retry(attempt, retryAfter);
    }
  }

  #countServed({ request: { arrived, priority }, tally, isTimedOut }: Attempt): void {
    if (isTimedOut) {
      tally.timedOut--;
      tally.late++;
      return;
    }
    tally.served++;
    this.#parts.recorder.tally(arrived, priority).succeeded++;
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
