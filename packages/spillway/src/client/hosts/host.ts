/** One host: what is known of it, and who waits to be sent there. */
import { type ReadableHeaders, type RequestTimes, ServerClock } from "../../http/advice/index.ts";
import type { Priority } from "../../internal/index.ts";
import type { Decision, Reason } from "../../limits/core/index.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import { Routes } from "../routes/routes.ts";
import type { Counts } from "../units/counts.ts";
import { HostSender, type SendingSettings } from "./host-sender.ts";
import { type HostMemory, HostState, type RequestResult } from "./host-state.ts";
import type { QueuedRequest } from "./queued-request.ts";

/** What all hosts of a client share. */
export type HostSettings = SendingSettings & {
  /** The most requests that wait. */
  readonly maxWaiting: number;
};

/** From so many milliseconds on it is another clock, and not the same one known better. */
const CLOCK_SET = 2000;

export class Host {
  readonly name: string;
  readonly routes: Routes<Host>;
  readonly #settings: HostSettings;
  readonly #state: HostState;
  readonly #sending: HostSender;
  /** The clock by which it names instants. */
  readonly #clock = new ServerClock();

  constructor(name: string, settings: HostSettings) {
    this.name = name;
    this.#settings = settings;
    this.#state = new HostState(name, settings);
    // What the program itself limits is the host.
    this.routes = new Routes(
      (route) => new Host(`${name} ${route}`, { ...settings, own: undefined }),
    );
    this.#sending = new HostSender({ name, state: this.#state, routes: this.routes }, settings);
  }

  /** Whether nobody waits for it, and nothing is under way. */
  get isIdle(): boolean {
    const { length, inFlight } = this.#sending;
    return length === 0 && inFlight === 0 && this.routes.areIdle;
  }

  /** The instant until which nothing may be sent, as far as that is known; it may be over. */
  get heldUntil(): number {
    const { length: waiting, ownUntil } = this.#sending;
    return Math.max(this.#state.next.from({ now: this.#now, waiting }), ownUntil);
  }

  /** The same, of it or of any of its routes. */
  get keptUntil(): number {
    return Math.max(this.heldUntil, this.routes.heldUntil);
  }

  /** Milliseconds that are left of what it has said to wait. */
  get saidLeft(): number {
    return this.#state.saidLeft(this.#now);
  }

  /** Waits in line. Calls one of the turn's functions, once; `leave` it where nobody wants it any more. */
  join(turn: QueuedRequest): void {
    this.#state.arrived(this.#now);
    const obstacle = this.#obstacle(turn);
    if (obstacle === undefined) this.#sending.join(turn);
    else turn.refuse(this.refusal(obstacle));
  }

  /** Why it had better not even wait. */
  #obstacle({ priority, deadline }: QueuedRequest): Reason | undefined {
    if (this.#sending.length >= this.#settings.maxWaiting) return "shed";
    // Who does not wait at all has a deadline that is over when it is compared.
    if (this.heldUntil > Math.max(deadline, this.#now)) return this.#reason;
    return this.#state.health.isInVain(priority, this.#now) ? "shed" : undefined;
  }

  /** Its time is over, or nobody waits for it. */
  leave(turn: QueuedRequest): void {
    this.#sending.leave(turn);
  }

  /** What was sent has come back. */
  done(priority: Priority, sent: RequestResult): void {
    this.#sending.returned();
    this.#state.done(priority, sent, { now: this.#now, inFlight: this.#sending.inFlight });
    this.#sending.pump();
  }

  /** What was sent was broken off by whoever wanted it: that says nothing. */
  brokenOff(start: RequestStart): void {
    this.#sending.returned();
    this.#state.brokenOff(start, this.#now);
    this.#sending.pump();
  }

  /** The body of an answer is over; `used` where it has said that. */
  over(start: RequestStart, used: Counts | undefined): void {
    this.#state.units.over(start, this.#now, used);
    this.#sending.pump();
  }

  /** What this host answered to a request that another one had sent on to it. */
  heard(sent: RequestResult): void {
    this.#state.heard(sent, { now: this.#now, inFlight: this.#sending.inFlight });
    this.#sending.pump();
  }

  /** By how many milliseconds its clock is ahead of the own one, for an answer that does not say what time it is. */
  serverAhead(headers: ReadableHeaders, span: RequestTimes): number {
    const before = this.#clock.ahead;
    this.#clock.heard(headers, span);
    const { ahead } = this.#clock;
    // What was said of quotas was read by the wrong clock.
    if (Math.abs(ahead - before) > CLOCK_SET) this.#state.pace.forget();
    return ahead;
  }

  /** What is known of it now, for `goBackTo`. */
  get memory(): HostMemory {
    return this.#state.memory;
  }

  /** What was learnt since then is not of the host, but of one of its routes. */
  goBackTo(memory: HostMemory): void {
    this.#state.goBackTo(memory);
    this.#sending.pump();
  }

  /** Why a request that waits is not sent now, as a decision. */
  refusal(reason: Reason = this.#reason): Decision {
    const now = this.#now;
    const shortest = reason === "shed" ? this.#settings.breaker.pause : 1;
    const wait = Math.max(shortest, this.heldUntil - now);
    return this.#state.refusal(reason, { now, wait, waiting: this.#sending.length });
  }

  /** Why nothing is sent now. */
  get #reason(): Reason {
    return this.#state.reason(this.#now) ?? this.#sending.ownReason;
  }

  get #now(): number {
    return this.#settings.scheduler.elapsed();
  }
}
