/** Which requests are traced: callers choose their traces, and not how many of them the service keeps. */
import { type Context, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-node";
import { seededRandom } from "spillway/testing";
import { describe, expect, it } from "vitest";
import { samplerOf } from "../../src/telemetry/otlp/sampler.ts";
import { otlpSettings } from "../../src/telemetry/otlp/settings.ts";
import { startService } from "../support/service-process.ts";
import { SHOP } from "../support/shop.ts";
import { Collector } from "./collector.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" };
const PARENT = "b7ad6b7169203331";

/** Ids that OpenTelemetry's own sampler takes at every share above 0, and at none below 1. */
const IDS = ["00000000000000000000000000000001", "0000000000000000fffffffe00000001"] as const;
const FLAGS = [TraceFlags.NONE, TraceFlags.SAMPLED] as const;

const FORGED = IDS.flatMap((traceId) => FLAGS.map((traceFlags) => ({ traceId, traceFlags })));

/** A sampler as the service makes it of its environment. */
function samplerFor(env: Record<string, string>) {
  return samplerOf(otlpSettings({ ...ENDPOINT, ...env }).sampling, seededRandom(1));
}

type Sampler = ReturnType<typeof samplerFor>;
type Parent = (typeof FORGED)[number] & { readonly isRemote?: boolean };

/** The share of the spans in a parent that it takes. */
function shareOf(sampler: Sampler, parent: Parent | undefined): number {
  const isSampled = () => {
    const { traceId } = parent ?? { traceId: IDS[0] };
    const asked = sampler.shouldSample(inside(parent), traceId, "x", SpanKind.SERVER, {}, []);
    return asked.decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
  return Array.from({ length: 2000 }, isSampled).filter(Boolean).length / 2000;
}

function inside(parent: Parent | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { spanId: PARENT, isRemote: true, ...parent });
}

describe.each<[Record<string, string>, number]>([
  [{}, 1],
  [{ OTEL_TRACES_SAMPLER: "" }, 1],
  [{ OTEL_TRACES_SAMPLER: "always_on" }, 1],
  [{ OTEL_TRACES_SAMPLER: "always_off" }, 0],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" }, 0],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" }, 0.25],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "1" }, 1],
])("with %j", (env, share) => {
  it.each([undefined, ...FORGED])(
    "its own share is taken, whatever a stranger says: %j",
    (parent) => {
      expect(otlpSettings({ ...ENDPOINT, ...env }).warnings).toEqual([]);
      const taken = shareOf(samplerFor(env), parent);
      if (share === 0 || share === 1) expect(taken).toBe(share);
      else expect(Math.abs(taken - share)).toBeLessThan(0.04);
    },
  );

  it.each(FORGED)("what is done in a request is traced with it: %j", (parent) => {
    const taken = shareOf(samplerFor(env), { ...parent, isRemote: false });
    expect(taken).toBe(parent.traceFlags);
  });
});

describe.each<[string, number]>([
  ["parentbased_always_on", 1],
  ["parentbased_always_off", 0],
  ["parentbased_traceidratio", 0.25],
])("with %s callers are trusted", (name, share) => {
  const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: "0.25" };
  it.each(FORGED)("with what they say of %j", (parent) => {
    expect(shareOf(samplerFor(env), parent)).toBe(parent.traceFlags);
  });

  it("where they say something", () => {
    expect(Math.abs(shareOf(samplerFor(env), undefined) - share)).toBeLessThan(0.04);
  });
});

it.each<[Record<string, string>, string]>([
  [{ OTEL_TRACES_SAMPLER: "xray" }, "OTEL_TRACES_SAMPLER: expected always_on, parentbased_"],
  [{ OTEL_TRACES_SAMPLER: "TraceIdRatio" }, "OTEL_TRACES_SAMPLER: expected"],
  ...["", " ", "-0.1", "1.1", "1%", "NaN", "Infinity"].map(
    (given): [Record<string, string>, string] => [
      { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: given },
      "OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1",
    ],
  ),
])("all is traced, and it is said, where it is not understood: %j", (env, warning) => {
  const { sampling, warnings } = otlpSettings({ ...ENDPOINT, ...env });
  expect(sampling).toEqual({ share: 1, trustsCallers: false });
  expect(warnings).toEqual([expect.stringContaining(warning)]);
  expect(otlpSettings({ ...ENDPOINT, ...env, OTEL_TRACES_EXPORTER: "none" }).warnings).toEqual([]);
});

describe("a service", () => {
  const ann = { domain: "shop", descriptors: [{ entries: [{ key: "user", value: "ann" }] }] };

  /** Which of the requests with a `traceparent` each are traced, each in the caller's trace. */
  async function traced(env: Record<string, string>, traceparents: readonly string[]) {
    await using collector = await Collector.start();
    const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: "none" };
    await using service = await startService({ rules: SHOP, env: { ...otlp, ...env } });
    for (const traceparent of traceparents) {
      const headers = { "content-type": "application/json", traceparent };
      const body = JSON.stringify(ann);
      await fetch(`${service.url}/v1/check`, { method: "POST", headers, body });
    }
    expect(await service.stop()).toBe(0);
    expect(service.warnings).toEqual([]);
    const servers = collector.spans.filter(({ kind }) => kind === 2);
    for (const { parentSpanId } of servers) expect(parentSpanId).toBe(PARENT);
    // What was asked of the store is in a request that is traced, or nowhere.
    const ids = new Set(servers.map(({ spanId }) => spanId));
    const inside = collector.spans.filter(({ kind }) => kind === 3);
    expect(inside.every(({ parentSpanId }) => ids.has(parentSpanId ?? ""))).toBe(true);
    expect(inside).toHaveLength(servers.length);
    return servers.map(({ traceId }) => traceId);
  }

  const forged = FORGED.map(({ traceId, traceFlags }) => `00-${traceId}-${PARENT}-0${traceFlags}`);
  const ids = FORGED.map(({ traceId }) => traceId);

  it("traces all by default, in the caller's trace", async () => {
    expect(await traced({}, forged)).toEqual(ids);
  });

  it("traces none of those who say that they are to be, where it traces none", async () => {
    expect(await traced({ OTEL_TRACES_SAMPLER: "always_off" }, forged)).toEqual([]);
  });

  it("traces its share of those who say that they are to be", async () => {
    const env = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" };
    const all = Array.from({ length: 80 }, () => `00-${IDS[0]}-${PARENT}-01`);
    const found = await traced(env, all);
    // Out of these bounds once in 10⁹ times.
    expect(found.length).toBeGreaterThan(12);
    expect(found.length).toBeLessThan(68);
  });

  it.each([
    { OTEL_TRACES_SAMPLER: "always_of" },
    { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" },
  ])("says once what it makes of %j, and not what its SDK would", async (env) => {
    await using collector = await Collector.start();
    const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: "none" };
    await using service = await startService({ rules: SHOP, env: { ...otlp, ...env } });
    expect(await service.stop()).toBe(0);
    expect(service.warnings).toEqual(otlpSettings({ ...otlp, ...env }).warnings);
    expect(service.warnings).toHaveLength(1);
  });

  it("believes callers where it is told so", async () => {
    const env = { OTEL_TRACES_SAMPLER: "parentbased_always_on" };
    expect(await traced(env, forged)).toEqual([IDS[0], IDS[1]]);
  });
});
