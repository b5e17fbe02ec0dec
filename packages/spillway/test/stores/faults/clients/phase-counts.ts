import type { StoreEvent } from "../../../../src/stores/index.ts";
import type { Asking, Events, Phase } from "./protocol.ts";
import { Counter } from "./tally.ts";

type Failure = Extract<StoreEvent, { type: "failed" }>;

/** Counts what happens from one moment to the next. */
export class PhaseCounts {
  readonly counters: readonly Counter[];
  readonly #begun = performance.now();
  readonly #answered = new Set<Counter>();
  readonly #events: Events = {
    failed: 0,
    late: 0,
    calls: 0,
    paused: 0,
    resumed: 0,
    degraded: 0,
    disagreed: 0,
    overflowed: 0,
    unreleased: 0,
    reasons: {},
  };
  #allAnswered: number | undefined;
  #lastDegraded: number | undefined;
  #ended: number | undefined;
  readonly #open: Set<string>;
  #cutOff: boolean;

  /** @param before What happened until now, if anything. */
  constructor(askings: readonly Asking[], before?: PhaseCounts) {
    this.#open = new Set(before === undefined ? [] : before.#open);
    this.#cutOff = this.#open.size > 0;
    this.counters = askings.map((asking) => new Counter(asking));
  }

  end(): void {
    this.#ended ??= this.#age;
  }

  /** The store has answered. */
  answered(counter: Counter): void {
    if (this.#allAnswered !== undefined) return;
    this.#answered.add(counter);
    if (this.#answered.size === this.counters.length) this.#allAnswered = this.#age;
  }

  /** Somebody was answered without the store. */
  degraded(): void {
    this.#lastDegraded = this.#age;
  }

  /** @param store Which one it happened to. */
  happened(event: StoreEvent, store: number): void {
    const { type } = event;
    // What is lent is no fault, and the limits of these runs lend nothing.
    if (type === "drawn" || type === "given back" || type === "expired") return;
    this.#events[type]++;
    if (event.type === "paused") {
      this.#open.add(`${store} ${event.node} ${event.slot}`);
      this.#cutOff = true;
    }
    if (event.type === "resumed") this.#open.delete(`${store} ${event.node} ${event.slot}`);
    if (event.type === "failed") this.#failed(event);
  }

  get phase(): Phase {
    return {
      ms: this.#ended ?? this.#age,
      answered: this.#allAnswered,
      degraded: this.#lastDegraded,
      cutOff: this.#cutOff,
      tallies: this.counters.map(({ tally }) => tally),
      events: this.#events,
    };
  }

  #failed(event: Failure): void {
    this.#events.calls += event.calls;
    const { reasons } = this.#events;
    const { message } = event.error;
    reasons[message] = (reasons[message] ?? 0) + 1;
  }

  get #age(): number {
    return performance.now() - this.#begun;
  }
}
