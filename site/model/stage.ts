/** One limit of the playground: its limiter, its clock, and what has been recorded. */
import { type Decision, type Lease, type Limit, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";
import { definitionOf, hasWindows, isConcurrency, type LimitSetup } from "./limit-setup.ts";
import type { Played, Reading } from "./played.ts";
import type { Setup } from "./setup.ts";

/** Whose budget it is, here and in the code that is copied. */
export const KEY = "user 42";

/** How often what is left is read between two decisions, at most. */
const MOST_BETWEEN = 800;

/** A request: when it comes, its number, and that of the attempt. */
export type Moment = { readonly at: number; readonly request: number; readonly attempt: number };

type Asked = { readonly key: string; readonly count: number };
type Running = { readonly until: number; readonly lease: Lease<"now"> };

/** Decides requests, whose instants never go back. Times are milliseconds from the beginning. */
export class Stage {
  readonly decisions: Played[] = [];
  readonly readings: Reading[] = [];
  readonly #clock = manualClock();
  readonly #origin = this.#clock();
  readonly #limiter: RateLimiter<{ requests: Limit }>;
  readonly #decide: (asked: Asked) => Decision;
  readonly #asked: Asked;
  /** Leases at work. All work lasts as long, so the first one ends first. */
  readonly #running: Running[] = [];
  #ended = 0;
  #readAt = 0;

  constructor(limit: LimitSetup, { units, aligned }: Setup) {
    const windows = hasWindows(limit.kind) && aligned ? { start: this.#origin } : {};
    const requests = { ...definitionOf(limit), ...windows } as Limit;
    const store = memoryStore({ clock: this.#clock });
    const limiter = new RateLimiter({ requests }, { store, warn: () => {} });
    this.#limiter = limiter;
    this.#asked = { key: KEY, count: units };
    this.#decide = isConcurrency(limit)
      ? (asked) => this.#hold(limiter.acquire("requests", asked), limit.work)
      : (asked) => limiter.limit("requests", asked);
  }

  /** Reads what is left at a distance of `step`, before an instant. */
  readUntil(at: number, step: number): void {
    if (at <= this.#readAt) return;
    // After a wait of days, a few readings have to do.
    const apart = Math.max(step, (at - this.#readAt) / MOST_BETWEEN);
    for (; this.#readAt < at; this.#readAt += apart) this.read(Math.floor(this.#readAt));
  }

  /** Reads what is left at an instant. */
  read(at: number): void {
    this.#goTo(at);
    this.#note({ at, remaining: this.#left() });
  }

  /** Decides a request, and records the decision. */
  decide({ at, request, attempt }: Moment): Played {
    const { ok, capacity, remaining, retryAfter, resetAfter, reason } = this.ask(at);
    const numbers = { ok, capacity, remaining, retryAfter, resetAfter, reason };
    const played = { at, request, attempt, ...numbers };
    this.decisions.push(played);
    this.#note({ at, remaining });
    return played;
  }

  /** Decides a request without a record. */
  ask(at: number): Decision {
    this.#goTo(at);
    return this.#decide(this.#asked);
  }

  #hold(lease: Lease<"now">, work: number): Decision {
    const until = this.#clock() - this.#origin + work;
    if (lease.ok) this.#running.push({ until, lease });
    return lease;
  }

  /** Moves the clock, and ends work on the way. */
  #goTo(at: number): void {
    for (let next = this.#running[this.#ended]; next && next.until <= at; ) {
      this.#clock.set(this.#origin + next.until);
      next.lease.release();
      this.#note({ at: next.until, remaining: this.#left() });
      next = this.#running[++this.#ended];
    }
    this.#clock.set(this.#origin + at);
  }

  #left(): number {
    return this.#limiter.value("requests", { key: KEY }).remaining;
  }

  /** Keeps a reading where the number changes; of one instant, the last. */
  #note(reading: Reading): void {
    const last = this.readings.at(-1);
    if (last?.remaining === reading.remaining) return;
    if (last?.at === reading.at) this.readings.pop();
    this.readings.push(reading);
  }
}
