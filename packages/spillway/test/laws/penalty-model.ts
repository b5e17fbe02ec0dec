import type { Ask, Decision, PenaltySettings, Plan } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { asking } from "../../src/testing/asking.ts";
import { type ManualClock, manualClock } from "../../src/testing/index.ts";

const key = "k";

/** A block of the model, by hand or as a penalty. */
type Block = { readonly start: number; readonly end: number; readonly isPenalty: boolean };

/**
 * Penalties as their description has them: lists of all refusals and penalties, and
 * a store without penalties, which sees an ask only while the key is not blocked.
 */
export class PenaltyModel {
  readonly #plan: Plan;
  readonly #penalty: PenaltySettings;
  readonly #clock: ManualClock;
  /** The time of the store without penalties: it is asked about the end of blocks. */
  readonly #plainClock = manualClock();
  readonly #plain = asking(memoryStore({ clock: this.#plainClock }));
  #block: Block | undefined;
  /** The instants of refusals since the last penalty. */
  #refusals: number[] = [];
  #penalties: Block[] = [];

  constructor(plan: Plan, penalty: PenaltySettings, clock: ManualClock) {
    this.#plan = plan;
    this.#penalty = penalty;
    this.#clock = clock;
  }

  limit(ask: Ask): Decision {
    const now = this.#clock();
    if (this.#blockAt(now) !== undefined) return this.check(ask);
    this.#plainClock.set(now);
    const decision = this.#plain.limit(this.#asked(ask));
    if (decision.ok) return decision;
    this.#refusals.push(now);
    if (this.#counted().length < this.#penalty.after) return decision;
    this.#block = { start: now, end: now + this.#length(now), isPenalty: true };
    this.#penalties.push(this.#block);
    this.#refusals = [];
    return this.check(ask);
  }

  check(ask: Ask): Decision {
    const now = this.#clock();
    this.#plainClock.set(now);
    const decision = this.#plain.check(this.#asked(ask));
    const block = this.#blockAt(now);
    if (block === undefined) return decision;
    this.#plainClock.set(block.end);
    const then = this.#plain.check(this.#asked(ask));
    this.#plainClock.set(now);
    return {
      ...decision,
      ok: false,
      remaining: 0,
      retryAfter: block.end - now + (then.ok ? 0 : then.retryAfter),
      resetAfter: Math.max(block.end - now, this.#plain.value(this.#asked(ask)).resetAfter),
      reason: block.isPenalty ? "penalized" : "blocked",
    };
  }

  value() {
    const now = this.#clock();
    const block = this.#blockAt(now);
    const blockedFor = block === undefined ? 0 : block.end - now;
    return { blockedFor, penalized: block?.isPenalty ? true : undefined };
  }

  reset(): void {
    this.#plainClock.set(this.#clock());
    this.#plain.reset({ plan: this.#plan, key });
    this.#refusals = [];
  }

  unblock(): void {
    this.#block = undefined;
    this.#refusals = [];
    this.#penalties = [];
  }

  block(ms: number): void {
    const start = this.#clock();
    this.#block = { start, end: start + ms, isPenalty: false };
  }

  #asked({ count, reserve }: Ask): Ask {
    return { plan: this.#plan, key, count, reserve };
  }

  #blockAt(now: number): Block | undefined {
    return this.#block !== undefined && now < this.#block.end ? this.#block : undefined;
  }

  /** Returns the refusals of the window that is open: each begins with the first one after it. */
  #counted(): readonly number[] {
    let window: number[] = [];
    for (const instant of this.#refusals) {
      const [first = instant] = window;
      window = instant < first + this.#penalty.within ? [...window, instant] : [instant];
    }
    return window;
  }

  /** Returns the length of a penalty that begins now: doubled for each before it in its series. */
  #length(now: number): number {
    const { block, most } = this.#penalty;
    let series = 0;
    let forgotten = Number.POSITIVE_INFINITY;
    for (const { start, end } of [...this.#penalties, { start: now, end: now }]) {
      series = start < forgotten ? series + 1 : 1;
      forgotten = end + most;
    }
    const length = BigInt(block) << BigInt(series - 1);
    return length < BigInt(most) ? Number(length) : most;
  }
}
