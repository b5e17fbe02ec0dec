/** Series by the names of envoyproxy/ratelimit, asked for over gRPC. The names were read from its source. */
import { describe, expect, it } from "vitest";
import { createService } from "../../src/index.ts";
import { exposition, Metrics } from "../../src/telemetry/index.ts";
import { atEnd } from "../support/at-end.ts";
import { readMetrics } from "../support/prometheus.ts";
import { rulesOf } from "../support/rules.ts";
import { call, clientOf, serveRls } from "../transports/envoy/grpc-transport.ts";

const RULES = `
domain: shop.eu
descriptors:
  - key: flat
    rate_limit: { unit: hour, requests_per_unit: 5 }
`;

type Asked = { readonly entries: string; readonly limit?: object; readonly hits?: number };

/** A service over gRPC, and what its page says of one statistic: a number by `domain key1 key2`. */
async function watched(text: string, settings: { shadow?: boolean } = {}) {
  const metrics = new Metrics({ upstream: { nearRatio: 0.8 } });
  const { decided: onDecided, rulesUsed: onRules } = metrics;
  const rules = rulesOf(text);
  const service = createService({ rules, settings, onDecided, onRules });
  const server = await serveRls({ service });
  const client = clientOf(server);
  atEnd(server.close);
  atEnd(() => client.close());
  const ask = (domain: string, ...descriptors: readonly Asked[]) =>
    call(client, {
      domain,
      descriptors: descriptors.map(({ entries, limit, hits }) => ({
        entries: entriesOf(entries),
        limit,
        hitsAddend: hits === undefined ? undefined : { value: hits },
      })),
    });
  const page = async () => {
    let all = "";
    for await (const part of exposition(metrics.series)) all += part;
    return readMetrics(all);
  };
  const of = async (statistic: string) => {
    const samples = (await page()).get(`ratelimit_service_${statistic}`)?.samples ?? [];
    return Object.fromEntries(
      samples.map(({ labels, value }) => [Object.values(labels).join(" "), value]),
    );
  };
  return { ask, of, hits: () => of("rate_limit_total_hits"), page, service };
}

/** `user=ann,path=/a`; a value may contain `=`. */
function entriesOf(text: string) {
  return text.split(",").map((entry) => {
    const [key = "", ...rest] = entry.split("=");
    return { key, value: rest.join("=") };
  });
}

const limit = "rate_limit: { unit: hour, requests_per_unit: 5 }";

describe("names as envoyproxy/ratelimit writes them", () => {
  it.each<[rules: string, entries: string, name: string]>([
    [`- { key: user, ${limit} }`, "user=ann", "shop user"],
    [`- { key: user, value: ann, ${limit} }`, "user=ann", "shop user_ann"],
    [`- { key: user, value: a*, ${limit} }`, "user=ann", "shop user_a*"],
    [`- { key: user, value_to_metric: true, ${limit} }`, "user=ann", "shop user_ann"],
    [`- { key: user, value_to_metric: true, ${limit} }`, "user=", "shop user"],
    [`- { key: user, detailed_metric: true, ${limit} }`, "user=", "shop user_"],
    [`- { key: user, value: a*, value_to_metric: true, ${limit} }`, "user=ann", "shop user_ann"],
    [
      `- { key: user, value: a*, share_threshold: true, detailed_metric: true, ${limit} }`,
      "user=ann",
      "shop user_a*",
    ],
    // The dots of an address are none; other dots begin a level, and the third level is not shown.
    [`- { key: ip, value_to_metric: true, ${limit} }`, "ip=10.0.0.1", "shop ip_10_0_0_1"],
    [`- { key: ip, value_to_metric: true, ${limit} }`, "ip=a:b|c", "shop ip_a_b_c"],
    [`- { key: host, value_to_metric: true, ${limit} }`, "host=api.eu.x", "shop host_api eu"],
    [`- { key: a, descriptors: [{ key: b, ${limit} }] }`, "a=1,b=2", "shop a b"],
    [
      `- { key: a, descriptors: [{ key: b, descriptors: [{ key: c, ${limit} }] }] }`,
      "a=1,b=2,c=3",
      "shop a b",
    ],
  ])("%s, asked for by %s, is %s", async (descriptors, entries, name) => {
    const { ask, hits } = await watched(`domain: shop\ndescriptors:\n  ${descriptors}`);
    await ask("shop", { entries });
    expect(await hits()).toEqual({ [name]: 1 });
  });

  it("have the parts of a domain with dots in them", async () => {
    const { ask, hits } = await watched(RULES);
    await ask("shop.eu", { entries: "flat=1" });
    expect(await hits()).toEqual({ "shop eu flat": 1 });
  });

  it("keep limits of requests apart by their entries, a hundred of them", async () => {
    const { ask, hits } = await watched(`domain: shop\ndescriptors:\n  - { key: user, ${limit} }`);
    const given = { requestsPerUnit: 3, unit: "MINUTE" };
    await ask("shop", { entries: "user=ann,path=/a", limit: given });
    await ask("shop", { entries: "user=bob", limit: given, hits: 2 });
    expect(await hits()).toEqual({ "shop user_ann path_/a": 1, "shop user_bob": 2 });
    for (let number = 0; number < 150; number++) {
      await ask("shop", { entries: `key${number}=x`, limit: given });
    }
    const all = await hits();
    expect(Object.keys(all)).toHaveLength(101);
    expect(all["shop other"]).toBe(52);
  });

  it("are not there for what is unlimited", async () => {
    const rules = "domain: shop\ndescriptors:\n  - { key: staff, rate_limit: { unlimited: true } }";
    const { ask, hits } = await watched(rules);
    await ask("shop", { entries: "staff=ann" });
    expect(await hits()).toEqual({});
  });
});

describe("a series is there once", () => {
  it("whichever values callers choose", async () => {
    const text = `domain: shop\ndescriptors:\n  - { key: user, value_to_metric: true, ${limit} }`;
    const { ask, hits, page } = await watched(text);
    for (let number = 0; number < 99; number++) await ask("shop", { entries: `user=u${number}` });
    await ask("shop", { entries: "user=other" });
    await ask("shop", { entries: "user=one more" }, { entries: "user=and another" });
    await expect(page()).resolves.toBeDefined();
    expect((await hits())["shop user_other"]).toBe(3);
  });

  it("where two limits read alike there: their hits are added up, and go on when one of them goes", async () => {
    const both = `domain: shop\ndescriptors:
  - { key: foo, value: bar_baz, ${limit} }
  - { key: foo_bar, value: baz, ${limit} }`;
    const { ask, hits, page, service } = await watched(both);
    await ask("shop", { entries: "foo=bar_baz", hits: 2 }, { entries: "foo_bar=baz" });
    await expect(page()).resolves.toBeDefined();
    expect(await hits()).toEqual({ "shop foo_bar_baz": 3 });
    await service.replaceRules(rulesOf(both.split("\n").slice(0, 3).join("\n")));
    await ask("shop", { entries: "foo=bar_baz" });
    expect(await hits()).toEqual({ "shop foo_bar_baz": 4 });
    await service.replaceRules(rulesOf("domain: shop\ndescriptors: []"));
    expect(await hits()).toEqual({});
  });
});

describe("ratelimit_service_global_shadow_mode", () => {
  const QUOTAS = `domain: shop
descriptors:
  - { key: a, quota_mode: true, rate_limit: { unit: year, requests_per_unit: 1 } }
  - { key: b, quota_mode: true, rate_limit: { unit: year, requests_per_unit: 2 } }
  - { key: must, rate_limit: { unit: year, requests_per_unit: 1 } }
  - { key: seen, shadow_mode: true, rate_limit: { unit: year, requests_per_unit: 1 } }`;
  const TWO = [{ entries: "a=1" }, { entries: "b=1" }];

  it("counts each request that would have been refused, by all its quotas as by one limit", async () => {
    const { ask, of } = await watched(QUOTAS, { shadow: true });
    const counted = async () => (await of("global_shadow_mode"))[""];
    for (let times = 0; times < 2; times++) await ask("shop", ...TWO);
    expect(await counted()).toBe(0);
    expect((await ask("shop", ...TWO)).overallCode).toBe("OK");
    expect(await counted()).toBe(1);
    await ask("shop", { entries: "must=1" });
    await ask("shop", { entries: "must=1" }, ...TWO);
    expect(await counted()).toBe(2);
    for (let times = 0; times < 3; times++) await ask("shop", { entries: "seen=1" });
    expect(await counted()).toBe(2);
  });

  it("counts nothing where requests are refused", async () => {
    const { ask, of } = await watched(QUOTAS);
    for (let times = 0; times < 3; times++) await ask("shop", { entries: "must=1" });
    expect((await of("global_shadow_mode"))[""]).toBe(0);
  });
});
