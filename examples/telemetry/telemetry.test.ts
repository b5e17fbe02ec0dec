/** The programs of docs/telemetry.md do what the page says, and stand on it as they are here. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { context, metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { Registry } from "prom-client";
import { MINUTE, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import type { StoreCall } from "spillway/telemetry";
import { manualClock } from "spillway/testing";
import { afterAll, expect, test } from "vitest";
import { onCall as publish } from "./channel.ts";
import { limiterMetrics } from "./prom-client.ts";

const LIMITS = {
  search: { kind: "fixed window", rate: 2, period: MINUTE },
  reports: { kind: "concurrency", capacity: 2, ttl: MINUTE },
} as const;

const page = readFileSync(new URL("../../docs/telemetry.md", import.meta.url), "utf8");

test.each(["prom-client", "opentelemetry", "channel"])("%s is on the page", (name) => {
  const program = readFileSync(new URL(`${name}.ts`, import.meta.url), "utf8");
  expect(page).toContain(`\`\`\`ts\n${program}\`\`\`\n`);
});

/** Three asks of which one is refused, and two leases of which one ends too late. */
function work(limiter: RateLimiter<typeof LIMITS>, clock: ReturnType<typeof manualClock>): void {
  for (let times = 0; times < 3; times++) limiter.limit("search", { key: "ann" });
  const [one, other] = [limiter.acquire("reports"), limiter.acquire("reports")];
  one.release();
  clock.advance(MINUTE);
  other.release();
}

test("series of prom-client have the numbers", async () => {
  const register = new Registry();
  const { onCall, onEvent, watch } = limiterMetrics(register);
  const clock = manualClock();
  const store = memoryStore({ clock });
  watch(store);
  work(new RateLimiter(LIMITS, { store, onCall }), clock);
  onEvent({ type: "failed", node: "10.0.0.1", error: new Error("late"), calls: 1 });
  onEvent({ type: "paused", node: "10.0.0.1", failures: 5, pause: 1000 });
  const lines = (await register.metrics()).split("\n");
  for (const line of [
    'limiter_decisions_total{limit="search",verb="limit",result="admitted",degraded="false"} 2',
    'limiter_decisions_total{limit="search",verb="limit",result="limited",degraded="false"} 1',
    'limiter_units_total{limit="search"} 2',
    'limiter_leases_total{limit="reports",change="acquired"} 2',
    'limiter_leases_total{limit="reports",change="released"} 1',
    'limiter_leases_total{limit="reports",change="expired"} 1',
    'limiter_store_seconds_count{verb="limit"} 5',
    'limiter_store_failures_total{node="10.0.0.1"} 1',
    'limiter_store_paused{node="10.0.0.1"} 1',
    "limiter_memory_keys 2",
    "limiter_memory_evictions 0",
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.some((line) => line.includes("ann"))).toBe(false);
});

const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: exported });
const spans = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
afterAll(async () => {
  await reader.shutdown();
  await provider.shutdown();
  for (const one of [metrics, trace, context]) one.disable();
});

test("OpenTelemetry has the numbers, and spans under the work that asked", async () => {
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  provider.register();
  const { onCall } = await import("./opentelemetry.ts");
  const clock = manualClock();
  const limiter = new RateLimiter(LIMITS, { store: memoryStore({ clock }), onCall });
  trace.getTracer("test").startActiveSpan("request", (span) => {
    work(limiter, clock);
    span.end();
  });
  await reader.forceFlush();
  const points = exported
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const found = points.find(({ descriptor }) => descriptor.name === "limiter.decisions");
  const refused = found?.dataPoints.find(
    ({ attributes }) => attributes["limiter.result"] === "limited",
  );
  expect(refused?.value).toBe(1);
  const [root] = spans.getFinishedSpans().filter(({ name }) => name === "request");
  const calls = spans.getFinishedSpans().filter(({ name }) => name.startsWith("limiter "));
  expect(calls).toHaveLength(7);
  for (const call of calls) {
    expect(call.parentSpanContext?.spanId).toBe(root?.spanContext().spanId);
  }
});

test("a channel gets calls while somebody has subscribed", () => {
  const heard: unknown[] = [];
  const hear = (call: unknown) => void heard.push(call);
  const limiter = new RateLimiter(LIMITS, { store: memoryStore(), onCall: publish });
  limiter.limit("search");
  subscribe("spillway.call", hear);
  limiter.limit("search");
  unsubscribe("spillway.call", hear);
  limiter.limit("search");
  expect(heard).toMatchObject([{ verb: "limit" } satisfies Partial<StoreCall>]);
});
