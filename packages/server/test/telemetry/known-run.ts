/** A run of which every number is known, through every transport of a real process. */
import { type ServiceProcess, startService } from "../support/service-process.ts";
import { call, clientOf } from "../transports/envoy/grpc-transport.ts";

export const RULES = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: 3 }
  - key: trial
    shadow_mode: true
    rate_limit: { unit: year, requests_per_unit: 1 }
  - key: tokens
    rate_limit: { kind: token bucket, unit: year, requests_per_unit: 10, max_reserved: 20 }
  - key: report
    rate_limit: { kind: concurrency, capacity: 2, ttl: 1h }
  - key: path
    value_to_metric: true
    rate_limit: { unit: year, requests_per_unit: 2 }
  - key: staff
    rate_limit: { unlimited: true }
`;

const asking = (key: string, value: string, more: object = {}) => ({
  domain: "shop",
  descriptors: [{ entries: [{ key, value }] }],
  ...more,
});

export type KnownRun = AsyncDisposable & {
  readonly service: ServiceProcess;
  /** What the page says now. */
  readonly metrics: () => Promise<string>;
};

/** Does it. */
export async function knownRun(args: readonly string[] = []): Promise<KnownRun> {
  const service = await startService({
    rules: RULES,
    args: ["--metrics-port", "0", "--grpc-port", "0", "--upstream-metrics", ...args],
  });
  const [, grpcPort] = /gRPC on 127\.0\.0\.1:(\d+)/.exec(service.said) ?? [];
  const [, page = ""] = /Metrics on (\S+)/.exec(service.said) ?? [];
  for (let times = 0; times < 5; times++) await service.post("/v1/limit", asking("user", "ann"));
  await service.post("/v1/check", asking("user", "ann"));
  for (let times = 0; times < 3; times++) await service.post("/v1/limit", asking("trial", "ann"));
  await service.post("/v1/limit", asking("tokens", "ann", { count: 10 }));
  await service.post("/v1/limit", asking("tokens", "ann", { count: 5, reserve: true }));
  const { body } = await service.post("/v1/acquire", asking("report", "ann"));
  await service.post("/v1/renew", asking("report", "ann", { lease: body.lease }));
  await service.post("/v1/release", asking("report", "ann", { lease: body.lease }));
  await service.post("/v1/release", asking("report", "ann", { lease: body.lease }));
  for (const path of ["/a", "/a", "/a", "/b"])
    await service.post("/v1/limit", asking("path", path));
  await service.post("/v1/limit", asking("nobody", "ann"));
  await service.post("/json", { ...asking("user", "ann"), domain: "unknown" });
  await service.post("/v1/limit", asking("user", "ann", { bad: true }));
  const client = clientOf({ port: Number(grpcPort) });
  await call(client, asking("user", "bob"));
  await call(client, asking("staff", "bob", { hitsAddend: 7 }));
  await call(client, { domain: "", descriptors: [] }).catch(() => {});
  const dispose = async () => {
    client.close();
    await service[Symbol.asyncDispose]();
  };
  const metrics = async () => (await fetch(page)).text();
  return { service, metrics, [Symbol.asyncDispose]: dispose };
}
