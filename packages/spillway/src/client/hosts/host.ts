/** One host: what is known of it, and the requests that wait to be sent to it. */
import { type ReadableHeaders, type RequestTimes, ServerClock } from "../../http/advice/index.ts";
import type { Priority } from "../../internal/index.ts";
import type { Decision, Reason } from "../../limits/core/index.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import { Routes } from "../routes/routes.ts";
import type { Counts } from "../units/counts.ts";
import { HostSender, type SendingSettings } from "./host-sender.ts";
import { type HostMemory, HostState, type RequestResult } from "./host-state.ts";
import type { QueuedRequest } from "./queued-request.ts";

/** The settings that all hosts of a client share. */
export type HostSettings = SendingSettings & {
  /** The maximum number of requests that wait for one host. */
  readonly maxWaiting: number;
};

/**
 * The change in the measured clock difference, in milliseconds, above which the server's clock was
 * set. A smaller change is only a better measurement.
 */
const CLOCK_SET = 2000;

export class Host {
  readonly name: string;
  readonly routes: Routes<Host>;
  readonly #settings: HostSettings;
  readonly #state: HostState;
  readonly #sender: HostSender;
  /** The server's clock, by which it names instants. */
  readonly #clock = new ServerClock();

  constructor(name: string, settings: HostSettings) {
    this.name = name;
    this.#settings = settings;
    this.#state = new HostState(name, settings);
    // The program's own limits apply to the host, not to its routes.
    this.routes = new Routes(
      (route) => new Host(`${name} ${route}`, { ...settings, own: undefined }),
    );
    this.#sender = new HostSender({ name, state: this.#state, routes: this.routes }, settings);
  }

  /** Whether no request waits or is under way, here and on all routes that are held back alone. */
  get isIdle(): boolean {
    const { length, inFlight } = this.#sender;
    return length === 0 && inFlight === 0 && this.routes.areIdle;
  }

  /**
   * The instant from which requests may be sent, as far as is known; in the past if nothing
   * prevents it.
   */
  get heldUntil(): number {
    const { length: waiting, ownUntil } = this.#sender;
    return Math.max(this.#state.next.from({ now: this.#now, waiting }), ownUntil);
  }

  /** The latest of these instants, of the host and of all its routes. */
  get keptUntil(): number {
    return Math.max(this.heldUntil, this.routes.heldUntil);
  }

  /** Milliseconds left of the wait that the server has named; 0 or less if it is over. */
  get saidLeft(): number {
    return this.#state.saidLeft(this.#now);
  }

  /**
   * Adds a request to the queue, or refuses it at once. Exactly one of its functions is called,
   * once. Call `leave` if its caller no longer waits.
   */
  join(turn: QueuedRequest): void {
    this.#state.arrived(this.#now);
    const obstacle = this.#obstacle(turn);
    if (obstacle === undefined) this.#sender.join(turn);
    else turn.refuse(this.refusal(obstacle));
  }

  /** Returns why a request should not even wait; undefined if it may wait. */
  #obstacle({ priority, deadline }: QueuedRequest): Reason | undefined {
    if (this.#sender.length >= this.#settings.maxWaiting) return "shed";
    // The deadline of a request that may not wait at all has already passed here.
    if (this.heldUntil > Math.max(deadline, this.#now)) return this.#reason;
    return this.#state.health.isInVain(priority, this.#now) ? "shed" : undefined;
  }

  /** Removes a request whose deadline has passed, or whose caller has aborted it. */
  leave(turn: QueuedRequest): void {
    this.#sender.leave(turn);
  }

  /** Records the result of a request that was sent, and sends those that may be sent now. */
  done(priority: Priority, sent: RequestResult): void {
    this.#sender.returned();
    this.#state.done(priority, sent, { now: this.#now, inFlight: this.#sender.inFlight });
    this.#sender.pump();
  }

  /** Records that a request was aborted by its caller. Nothing is learnt from it. */
  brokenOff(start: RequestStart): void {
    this.#sender.returned();
    this.#state.brokenOff(start, this.#now);
    this.#sender.pump();
  }

  /**
   * Records that the body of a response has ended. `used` is undefined if the body does not report
   * its units.
   */
  over(start: RequestStart, used: Counts | undefined): void {
    this.#state.units.over(start, this.#now, used);
    this.#sender.pump();
  }

  /**
   * Records a response of this host to a request that was sent to another one, for example before a
   * redirect.
   */
  heard(sent: RequestResult): void {
    this.#state.heard(sent, { now: this.#now, inFlight: this.#sender.inFlight });
    this.#sender.pump();
  }

  /**
   * Learns the server's clock from a response without a date. Returns by how many milliseconds it
   * is ahead of the local clock.
   */
  serverAhead(headers: ReadableHeaders, span: RequestTimes): number {
    const before = this.#clock.ahead;
    this.#clock.heard(headers, span);
    const { ahead } = this.#clock;
    // The instants of quotas were read by the wrong clock.
    if (Math.abs(ahead - before) > CLOCK_SET) this.#state.forgetQuotas();
    return ahead;
  }

  /** A snapshot of the present knowledge, for `goBackTo`. */
  get memory(): HostMemory {
    return this.#state.memory;
  }

  /**
   * Restores a snapshot, because later results were the fault of one route, not of the host.
   */
  goBackTo(memory: HostMemory): void {
    this.#state.goBackTo(memory);
    this.#sender.pump();
  }

  /**
   * Returns the decision that refuses a request now. `retryAfter` is at least 1 ms, or at least
   * `breaker.pause` if the reason is `shed`.
   */
  refusal(reason: Reason = this.#reason): Decision {
    const now = this.#now;
    const shortest = reason === "shed" ? this.#settings.breaker.pause : 1;
    const wait = Math.max(shortest, this.heldUntil - now);
    return this.#state.refusal(reason, { now, wait, waiting: this.#sender.length });
  }

  /** Why nothing is sent now: `limited` if nothing more is known. */
  get #reason(): Reason {
    return this.#state.reason(this.#now) ?? this.#sender.ownReason;
  }

  get #now(): number {
    return this.#settings.scheduler.elapsed();
  }
}
