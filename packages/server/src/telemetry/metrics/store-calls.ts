/** Counts commands to the store, measures their duration, and counts outages. */
import type { MemoryStats } from "spillway";
import type { StoreEvent } from "spillway/redis";
import type { StoreCall } from "spillway/telemetry";
import { alone, counter, gauge, histogram, type Series } from "./series.ts";
import { Buckets, entryOf, LabelledCounter } from "./tally.ts";

/** Seconds: a call in memory takes a microsecond or less. */
const BOUNDS = [
  0.000_001, 0.000_005, 0.000_025, 0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
  0.25, 1,
];

/** The maximum number of nodes of a cluster with a series each, because their addresses change. */
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
  readonly #errors = new LabelledCounter("verb");
  readonly #leases = new LabelledCounter("limit", "change");
  readonly #reservations = new LabelledCounter("limit");
  readonly #events = new LabelledCounter("event");
  readonly #paused = new Map<string, number>();

  readonly note = ({ verb, duration, error, outcomes }: StoreCall): void => {
    entryOf(this.#durations, verb, () => new Buckets(BOUNDS)).add(duration / 1000);
    if (error !== undefined) this.#errors.add(verb);
    for (const { limit, kind, result, taken, reserved } of outcomes) {
      if (reserved) this.#reservations.add(limit);
      if (kind === "concurrency" && taken > 0) this.#leases.add(limit, "acquired");
      if (verb === "release") this.#leases.add(limit, result === "over" ? "expired" : "released");
      if (verb === "renew") this.#leases.add(limit, result === "over" ? "lost" : "renewed");
    }
  };

  /**
   * Adds all series of a shared store at the start, so that the first event shows as an increase.
   */
  ofShared(): void {
    for (const event of EVENTS) this.#events.add(event, "", 0);
  }

  /** Counts an event of a shared store, or of its breaker. */
  readonly happened = (event: StoreEvent): void => {
    this.#events.add(event.type, "", "calls" in event ? Math.max(1, event.calls) : 1);
    // A breaker of one slot does not change the state of its node.
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
    const times = () => [...this.#durations].map(([verb, buckets]) => buckets.read({ verb }));
    const open = () => [...this.#paused].map(([node, value]) => ({ labels: { node }, value }));
    return [
      histogram("spillway_store_call_duration_seconds", { bounds: BOUNDS, read: times }),
      counter("spillway_store_errors_total", () => this.#errors.read()),
      counter("spillway_leases_total", () => this.#leases.read()),
      counter("spillway_reservations_total", () => this.#reservations.read()),
      counter("spillway_store_events_total", () => this.#events.read()),
      gauge("spillway_store_breaker_open", open),
    ];
  }
}

/** Creates series about how full a memory store is. */
export function memorySeries(stats: () => MemoryStats | undefined): readonly Series[] {
  const of = (field: keyof MemoryStats) => alone(() => stats()?.[field]);
  return [
    gauge("spillway_memory_keys", of("keys")),
    gauge("spillway_memory_max_keys", of("maxKeys")),
    counter("spillway_memory_evictions_total", of("evicted")),
    counter("spillway_memory_turned_away_total", of("turnedAway")),
  ];
}
