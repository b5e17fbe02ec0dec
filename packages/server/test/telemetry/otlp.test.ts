import * as grpc from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { otlpSettings } from "../../src/telemetry/index.ts";
import { startService } from "../support/service-process.ts";
import { SHOP } from "../support/shop.ts";
import { clientOf } from "../transports/envoy/grpc-transport.ts";
import { Collector, plain, type ReceivedSpan } from "./collector.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const ann = { domain: "shop", descriptors: [{ entries: [{ key: "user", value: "ann" }] }] };

it("sends spans that continue the caller's, and the numbers of /metrics", async () => {
  await using collector = await Collector.start();
  await using service = await startService({
    rules: SHOP,
    args: ["--grpc-port", "0"],
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
      OTEL_SERVICE_NAME: "limits",
    },
  });
  for (let times = 0; times < 6; times++) await limit(service.url, times === 0);
  const [, port] = /gRPC on 127\.0\.0\.1:(\d+)/.exec(service.said) ?? [];
  await callWithParent(Number(port));
  expect(await service.stop()).toBe(0);

  const { spans } = collector;
  const servers = spans.filter(({ kind }) => kind === 2);
  expect(servers.map(({ name }) => name).sort()).toEqual([
    ...Array.from({ length: 6 }, () => "POST /v1/limit"),
    "envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
  ]);
  const continued = servers.filter(({ traceId }) => traceId === TRACE);
  expect(continued.map(({ parentSpanId }) => parentSpanId)).toEqual([PARENT, PARENT]);
  const [first] = continued.filter(({ name }) => name.startsWith("POST")) as [ReceivedSpan];
  expect(plain(first.attributes)).toMatchObject({
    "http.route": "/v1/limit",
    "http.response.status_code": 200,
    "spillway.ok": true,
    "spillway.limit": "shop/user",
  });
  // Each request has its own call of the store in it, though requests of one turn proceed together.
  const calls = spans.filter(({ name }) => name === "store limit");
  expect(calls.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
    servers.map(({ spanId }) => spanId).sort(),
  );
  const refused = servers.filter(({ attributes }) => plain(attributes)["spillway.ok"] === false);
  expect(refused.map(({ attributes }) => plain(attributes)["spillway.reason"])).toEqual([
    "limited",
    "limited",
  ]);

  const decisions = collector.metrics.find(({ name }) => name === "spillway_decisions_total")?.sum;
  expect(decisions?.isMonotonic).toBe(true);
  const numbers = decisions?.dataPoints.map(({ attributes, asDouble }) => [
    plain(attributes).outcome,
    asDouble,
  ]);
  expect(numbers).toEqual([
    ["admitted", 5],
    ["limited", 2],
  ]);
  const durations = collector.metrics.find(
    ({ name }) => name === "spillway_request_duration_seconds",
  )?.histogram?.dataPoints;
  const ofLimit = durations?.find(({ attributes }) => plain(attributes).method === "/v1/limit");
  expect(ofLimit?.count).toBe(6);
  expect(ofLimit?.bucketCounts.reduce((sum, one) => sum + one, 0)).toBe(6);
  expect(ofLimit?.bucketCounts).toHaveLength((ofLimit?.explicitBounds.length ?? 0) + 1);

  expect(plain(collector.resources)).toMatchObject({ "service.name": "limits" });
  expect([...collector.authorizations]).toEqual(["Bearer of-the-collector"]);
  expect(JSON.stringify([spans, collector.metrics])).not.toContain("ann");
  expect(service.said).not.toContain("of-the-collector");
});

async function limit(url: string, isContinued: boolean): Promise<void> {
  await fetch(`${url}/v1/limit`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(isContinued ? { traceparent: TRACEPARENT } : {}),
    },
    body: JSON.stringify(ann),
  });
}

/** A message of one descriptor, as bytes. */
const MESSAGE = Buffer.from(
  "0a0473686f7012 0d0a0b0a0475736572 1203616e6e".replaceAll(" ", ""),
  "hex",
);

function callWithParent(port: number): Promise<unknown> {
  const client = clientOf({ port });
  const metadata = new grpc.Metadata();
  metadata.set("traceparent", TRACEPARENT);
  const same = (bytes: Buffer) => bytes;
  const path = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, MESSAGE, metadata, (error, answer) => {
      client.close();
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

it("neither waits for a collector that never answers, nor keeps what it can't send", async () => {
  await using collector = await Collector.start(true);
  await using service = await startService({
    rules: SHOP,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "1",
      OTEL_BSP_MAX_QUEUE_SIZE: "100",
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10",
      OTEL_METRIC_EXPORT_INTERVAL: "20",
    },
  });
  const statuses = new Set<number>();
  for (let round = 0; round < 5; round++) {
    const replies = Array.from({ length: 50 }, () => service.post("/v1/check", ann));
    for (const { status } of await Promise.all(replies)) statuses.add(status);
  }
  expect([...statuses]).toEqual([200]);
  expect(collector.requests).toBeGreaterThan(0);
  expect(await service.stop()).toBe(0);
});

it("says once that nobody is there to send to, without passwords", async () => {
  await using collector = await Collector.start();
  const gone = collector.url.replace("http://", "http://user:secret@");
  await collector[Symbol.asyncDispose]();
  await using service = await startService({
    rules: SHOP,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: gone,
      OTEL_METRIC_EXPORT_INTERVAL: "10",
      OTEL_TRACES_EXPORTER: "none",
    },
  });
  await service.warns(/telemetry could not be sent/);
  expect(await service.stop()).toBe(0);
  expect(service.warnings.filter((line) => line.includes("could not be sent"))).toHaveLength(1);
  expect(service.said).not.toContain("secret");
});

it.each<[Record<string, string>, boolean, boolean]>([
  [{}, false, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" }, true, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c:4318/v1/traces" }, false, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" }, false, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_TRACES_EXPORTER: "none" }, true, false],
])("%j sends metrics: %j, traces: %j", (env, metrics, traces) => {
  expect(otlpSettings(env)).toMatchObject({ metrics, traces, warnings: [] });
});

it("warns of what it can't do as asked", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  expect(otlpSettings({ ...env, OTEL_METRIC_EXPORT_INTERVAL: "often" }).warnings).toEqual([
    expect.stringContaining("http/json"),
    expect.stringContaining("60000"),
  ]);
});
