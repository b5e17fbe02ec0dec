/** What the store was asked, how long it took, and what it was away for. */
import type { MemoryStats } from "spillway";
import type { StoreEvent } from "spillway/redis";
import type { StoreCall } from "spillway/telemetry";
import { type Series, single } from "./series.ts";
import { Buckets, Tally } from "./tally.ts";

/** Seconds: a call in memory takes a microsecond or less. */
const BOUNDS = [
  0.000_001, 0.000_005, 0.000_025, 0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
  0.25, 1,
];

/** The most nodes of a cluster that have a series each: their addresses come and go. */
const MOST_NODES = 100;

const EVENTS: readonly StoreEvent["type"][] = [
  "failed",
  "degraded",
  "paused",
  "resumed",
  "disagreed",
  "overflowed",
  "unreleased",
];

export class StoreCalls {
  readonly #durations = new Map<string, Buckets>();
  readonly #errors = new Tally("verb");
  readonly #leases = new Tally("limit", "change");
  readonly #reservations = new Tally("limit");
  readonly #events = new Tally("event");
  readonly #paused = new Map<string, number>();

  readonly note = ({ verb, duration, error, outcomes }: StoreCall): void => {
    let buckets = this.#durations.get(verb);
    if (buckets === undefined) {
      buckets = new Buckets(BOUNDS);
      this.#durations.set(verb, buckets);
    }
    buckets.add(duration / 1000);
    if (error !== undefined) this.#errors.add(verb);
    for (const { limit, kind, result, taken, reserved } of outcomes) {
      if (reserved) this.#reservations.add(limit);
      if (kind === "concurrency" && taken > 0) this.#leases.add(limit, "acquired");
      if (verb === "release") this.#leases.add(limit, result === "over" ? "expired" : "released");
      if (verb === "renew") this.#leases.add(limit, result === "over" ? "lost" : "renewed");
    }
  };

  /** Has what can befall a shared store be there from the start, so that the first time is a step. */
  ofShared(): void {
    for (const event of EVENTS) this.#events.add(event, "", 0);
  }

  /** What a shared store, or its breaker, reports. */
  readonly happened = (event: StoreEvent): void => {
    this.#events.add(event.type, "", "calls" in event ? Math.max(1, event.calls) : 1);
    // One slot that is paused leaves its node as it is.
    if ("slot" in event) return;
    if (event.type === "resumed") this.#setPaused(event.node, 0);
    if (event.type === "paused") this.#setPaused(event.node, 1);
  };

  #setPaused(node: string, value: number): void {
    const isKnown = this.#paused.has(node);
    this.#paused.set(isKnown || this.#paused.size < MOST_NODES ? node : "other", value);
  }

  keep(isKept: (limit: string) => boolean): void {
    this.#leases.keep(isKept);
    this.#reservations.keep(isKept);
  }

  get series(): readonly Series[] {
    return [
      {
        type: "histogram",
        name: "spillway_store_call_duration_seconds",
        help: "From a command to the store's answer, or to the answer without it",
        bounds: BOUNDS,
        read: () => [...this.#durations].map(([verb, buckets]) => buckets.read({ verb })),
      },
      counter("spillway_store_errors_total", "Commands that got no answer at all", this.#errors),
      counter("spillway_leases_total", "Leases, by what became of them", this.#leases),
      counter(
        "spillway_reservations_total",
        "Times that units were taken ahead of time",
        this.#reservations,
      ),
      counter("spillway_store_events_total", "What befell a shared store, in calls", this.#events),
      {
        type: "gauge",
        name: "spillway_store_breaker_open",
        help: "1 while a node is not asked, but for a probe a second",
        read: () => [...this.#paused].map(([node, value]) => ({ labels: { node }, value })),
      },
    ];
  }
}

function counter(name: string, help: string, tally: Tally): Series {
  return { type: "counter", name, help, read: () => tally.read() };
}

/** How full memory is. */
export function memorySeries(stats: () => MemoryStats | undefined): readonly Series[] {
  const of = (field: keyof MemoryStats) => () => stats()?.[field];
  return [
    single("gauge", { name: "spillway_memory_keys", help: "Keys in memory" }, of("keys")),
    single(
      "gauge",
      { name: "spillway_memory_max_keys", help: "The most there can be" },
      of("maxKeys"),
    ),
    single(
      "counter",
      {
        name: "spillway_memory_evictions_total",
        help: "Keys forgotten too early, for want of room",
      },
      of("evicted"),
    ),
    single(
      "counter",
      { name: "spillway_memory_turned_away_total", help: "Requests refused because of those" },
      of("turnedAway"),
    ),
  ];
}
