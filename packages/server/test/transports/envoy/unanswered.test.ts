/** `--when-unavailable error`: what is not known is an error over gRPC, so that Envoy decides. */
import * as grpc from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { freePort } from "../../../../spillway/test/servers/ports.ts";
import { startRedis } from "../../../../spillway/test/servers/redis-node.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { descriptor } from "../../support/service.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { call, clientOf } from "./grpc-transport.ts";

const ONE = "unit: year, requests_per_unit: 1";
const RULES = `
domain: shop
descriptors:
  - { key: user, rate_limit: { ${ONE} } }
  - { key: closed, rate_limit: { ${ONE}, when_unavailable: closed } }
  - { key: open, rate_limit: { ${ONE}, when_unavailable: open } }
  - { key: local, rate_limit: { ${ONE}, when_unavailable: local } }
  - { key: seen, shadow_mode: true, rate_limit: { ${ONE} } }
  - { key: quota, quota_mode: true, rate_limit: { ${ONE} } }
  - { key: quota-closed, quota_mode: true, rate_limit: { ${ONE}, when_unavailable: closed } }
  - { key: staff, rate_limit: { unlimited: true } }
`;

const asking = (...entries: readonly string[]) => ({
  domain: "shop",
  descriptors: entries.map((entry) => descriptor(entry)),
});

type Served = { readonly service: ServiceProcess; readonly ask: Ask };
type Ask = (...entries: readonly string[]) => Promise<string>;

/** A service, and how to ask it over gRPC: the code of the answer, or the status of the failure. */
async function served(url: string, ...args: readonly string[]): Promise<Served & AsyncDisposable> {
  const own = ["--store", url, "--when-unavailable", "error", "--grpc-port", "0", ...args];
  const service = await startService({ rules: RULES, args: own });
  const [, port] = /gRPC on 127\.0\.0\.1:(\d+)/.exec(service.said) ?? [];
  const client = clientOf({ port: Number(port) });
  const ask: Ask = (...entries) =>
    call(client, asking(...entries)).then(
      ({ overallCode = "" }) => overallCode,
      ({ code, details }: grpc.ServiceError) => `${grpc.status[code]}: ${details}`,
    );
  const dispose = async () => {
    client.close();
    await service[Symbol.asyncDispose]();
  };
  return { service, ask, [Symbol.asyncDispose]: dispose };
}

const FAILED = "UNAVAILABLE: the store gave no answer";

it("fails calls that only the store could have decided, and no others", async () => {
  await using at = await served(`redis://127.0.0.1:${await freePort()}`);
  const { ask } = at;
  expect(await ask("user=ann")).toBe(FAILED);
  expect(await ask("staff=ann", "open=ann", "user=ann")).toBe(FAILED);
  expect(await ask("quota=ann", "quota-closed=ann")).toBe(FAILED);
  // Rules that say themselves what holds then.
  expect(await ask("closed=ann")).toBe("OVER_LIMIT");
  expect(await ask("closed=ann", "user=ann")).toBe("OVER_LIMIT");
  expect(await ask("quota-closed=ann")).toBe("OVER_LIMIT");
  expect(await ask("open=ann")).toBe("OK");
  expect([await ask("local=ann"), await ask("local=ann")]).toEqual(["OK", "OVER_LIMIT"]);
  // What no answer is needed for.
  expect(await ask("staff=ann")).toBe("OK");
  expect(await ask("seen=ann")).toBe("OK");
  expect(await ask("nobody=ann")).toBe("OK");
});

it("refuses over HTTP with 503, as closed does", async () => {
  await using at = await served(`redis://127.0.0.1:${await freePort()}`);
  const { service } = at;
  for (const path of ["/v1/limit", "/json"]) {
    const { status, headers, body } = await service.post(path, asking("user=ann"));
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(body.reason ?? body.overallCode).toMatch(/^(?:unavailable|OVER_LIMIT)$/);
  }
  expect(service.said).toContain("gRPC calls fail, and HTTP refuses (--when-unavailable error)");
});

it("decides once the store answers, where a refusal is a refusal; --shadow fails no call", async () => {
  await using redis = await startRedis();
  await using at = await served(redis.url, "--deadline", "10000");
  expect([await at.ask("user=ann"), await at.ask("user=ann")]).toEqual(["OK", "OVER_LIMIT"]);
  await using shadow = await served(`redis://127.0.0.1:${await freePort()}`, "--shadow");
  expect(await shadow.ask("user=ann")).toBe("OK");
  await redis.kill();
  const fails = async () => (await at.ask("user=ben")) === FAILED;
  await until(fails, { what: "calls fail" });
});
