import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { MemoryStore } from "spillway/memory";
import type { OnEvent } from "spillway/redis";
import type { OnCall } from "spillway/telemetry";

/** What limiters do, as series of a registry. */
export function limiterMetrics(register: Registry) {
  const registers = [register];
  const decisions = new Counter({
    name: "limiter_decisions_total",
    help: "Budgets that were asked for, by what came of it",
    labelNames: ["limit", "verb", "result", "degraded"],
    registers,
  });
  const units = new Counter({
    name: "limiter_units_total",
    help: "Units that were taken",
    labelNames: ["limit"],
    registers,
  });
  const leases = new Counter({
    name: "limiter_leases_total",
    help: "Leases that were acquired, renewed, released, or over before that",
    labelNames: ["limit", "change"],
    registers,
  });
  const duration = new Histogram({
    name: "limiter_store_seconds",
    help: "How long the store took",
    labelNames: ["verb"],
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5],
    registers,
  });
  const errors = new Counter({
    name: "limiter_store_errors_total",
    help: "Calls that got no answer at all",
    labelNames: ["verb"],
    registers,
  });
  const paused = new Gauge({
    name: "limiter_store_paused",
    help: "1 while the breaker keeps a node from being asked",
    labelNames: ["node"],
    registers,
  });
  const failures = new Counter({
    name: "limiter_store_failures_total",
    help: "Requests to a node that failed or were late",
    labelNames: ["node"],
    registers,
  });

  const onCall: OnCall = (call) => {
    const { verb } = call;
    duration.observe({ verb }, call.duration / 1000);
    if (call.error !== undefined) errors.inc({ verb });
    for (const { limit, kind, result, degraded, taken } of call.outcomes) {
      if (verb === "limit" || verb === "check") {
        decisions.inc({ limit, verb, result, degraded: String(degraded) });
      }
      units.inc({ limit }, taken);
      if (verb === "release")
        leases.inc({ limit, change: result === "over" ? "expired" : "released" });
      if (verb === "renew") leases.inc({ limit, change: result === "over" ? "lost" : "renewed" });
      if (kind === "concurrency" && taken > 0) leases.inc({ limit, change: "acquired" });
    }
  };
  const onEvent: OnEvent = (event) => {
    if (event.type === "failed") failures.inc({ node: event.node });
    if (event.type === "paused") paused.set({ node: event.node }, 1);
    if (event.type === "resumed") paused.set({ node: event.node }, 0);
  };
  /** A store in memory knows how full it is. */
  const watch = (store: MemoryStore) => {
    new Gauge({
      name: "limiter_memory_keys",
      help: "Keys in memory",
      registers,
      collect() {
        this.set(store.stats().keys);
      },
    });
    new Gauge({
      name: "limiter_memory_evictions",
      help: "Keys that were forgotten too early, for want of room",
      registers,
      collect() {
        this.set(store.stats().evicted);
      },
    });
  };
  return { onCall, onEvent, watch };
}
