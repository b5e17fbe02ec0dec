/** What strangers, reloads and scrapers can make metrics hold. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterTurn } from "spillway/support";
import { describe, expect, it } from "vitest";
import { createServer, createService, parseRules, type Rules } from "../../src/index.ts";
import { exposition, Metrics, TEXT_FORMAT } from "../../src/telemetry/index.ts";
import { atEnd } from "../support/at-end.ts";
import { readMetrics, sampleOf } from "../support/prometheus.ts";
import { rulesOf } from "../support/rules.ts";
import { send, serve } from "../support/service.ts";

/** With `npm run soak`: 100 000 values, 1000 reloads, 10 000 limits. */
const IS_SOAK = Number(process.env.SPILLWAY_RUNS ?? 1) > 1;
const VALUES = IS_SOAK ? 100_000 : 10_000;
const RELOADS = IS_SOAK ? 1000 : 200;
const LIMITS = IS_SOAK ? 10_000 : 2000;

const RULES = `
domain: shop
descriptors:
  - key: user
    value_to_metric: true
    rate_limit: { unit: hour, requests_per_unit: 5 }
  - key: plain
    rate_limit: { unit: hour, requests_per_unit: 5 }
  - key: pair
    descriptors:
      - key: path
        value: "/a/*"
        share_threshold: true
        detailed_metric: true
        rate_limit: { unit: hour, requests_per_unit: 5 }
`;

/** A service with its numbers. */
function watched(rules: Rules = rulesOf(RULES)) {
  const metrics = new Metrics({ upstream: { nearRatio: 0.8 } });
  const { decided: onDecided, rulesUsed: onRules } = metrics;
  const service = createService({ rules, onDecided, onRules });
  return { metrics, service };
}

async function textOf(metrics: Metrics): Promise<string> {
  const parts: string[] = [];
  for await (const part of exposition(metrics.series)) parts.push(part);
  return parts.join("");
}

const asking = (...entries: readonly [string, string][]) => ({
  domain: "shop",
  descriptors: [{ entries: entries.map(([key, value]) => ({ key, value })) }],
});

describe("values of requests", () => {
  it("get so many series, and then one for all others", async () => {
    const { metrics, service } = watched();
    for (let number = 0; number < VALUES; number++) {
      await service.limit(asking(["user", `u${number}`]));
      if (number % 10 === 0) await service.limit(asking(["plain", `u${number}`]));
    }
    const families = readMetrics(await textOf(metrics));
    const own = families.get("spillway_descriptor_decisions_total")?.samples ?? [];
    expect(own).toHaveLength(2 * 101);
    const other = { limit: "shop/user", descriptor: "other", outcome: "admitted" };
    expect(sampleOf(families, "spillway_descriptor_decisions_total", other)).toBe(VALUES - 100);
    const hits = families.get("ratelimit_service_rate_limit_total_hits")?.samples ?? [];
    // One limit by its values, one without.
    expect(hits).toHaveLength(101 + 1);
    const limits = families.get("spillway_decisions_total")?.samples ?? [];
    expect(limits).toHaveLength(2 * 2);
  });

  it("show as the pattern where they share a budget, and whatever they say as one label", async () => {
    const { metrics, service } = watched();
    const nasty = [
      'a"b',
      "a\\b",
      "a\nb",
      "\u001b[31m",
      "\u202e",
      "}",
      "x".repeat(10_000),
      "\ud800",
    ];
    for (const value of nasty) await service.limit(asking(["user", value]));
    for (const path of ["/a/1", "/a/2"]) await service.limit(asking(["pair", "p"], ["path", path]));
    const text = await textOf(metrics);
    const families = readMetrics(text);
    const own = families.get("spillway_descriptor_decisions_total")?.samples ?? [];
    expect(own.filter(({ labels }) => labels.limit === "shop/user")).toHaveLength(2 * nasty.length);
    const shared = { limit: "shop/pair/path=%2Fa%2F*", descriptor: "shop/pair=p/path=%2Fa%2F*" };
    expect(
      sampleOf(families, "spillway_descriptor_decisions_total", { ...shared, outcome: "admitted" }),
    ).toBe(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
    expect(text).not.toMatch(/[\u001b\u202e]|x{101}/);
  });

  it("of domains that nobody knows get no series", async () => {
    const { metrics, service } = watched();
    for (let number = 0; number < 1000; number++) {
      await service.limit({ ...asking(["user", "ann"]), domain: `d${number}` });
    }
    const families = readMetrics(await textOf(metrics));
    expect(sampleOf(families, "spillway_unknown_domain_requests_total")).toBe(1000);
    expect(families.get("spillway_unmatched_descriptors_total")?.samples).toEqual([]);
  });

  it("and limits that come with requests are named by domain and unit", async () => {
    const { metrics, service } = watched();
    for (let number = 0; number < 1000; number++) {
      const limit = { rate: number, period: 60_000 };
      const descriptors = [{ entries: [{ key: "any", value: `${number}` }], limit }];
      await service.limit({ domain: "shop", descriptors });
    }
    const families = readMetrics(await textOf(metrics));
    const limits = new Set(
      families.get("spillway_decisions_total")?.samples.map(({ labels }) => labels.limit),
    );
    expect([...limits]).toEqual(["shop=minute"]);
  });
});

describe("rules that come and go", () => {
  it("take their series with them, each time", async () => {
    const { metrics, service } = watched();
    const sizes = new Set<number>();
    for (let round = 0; round < RELOADS; round++) {
      const key = `k${String(round).padStart(4, "0")}`;
      const text = `domain: shop\ndescriptors: [{ key: ${key}, value_to_metric: true, rate_limit: { unit: hour, requests_per_unit: 5 } }]`;
      service.replaceRules(rulesOf(text));
      await service.limit(asking([key, "ann"]));
      if (round % 50 === 49) {
        const families = readMetrics(await textOf(metrics));
        sizes.add([...families.values()].reduce((sum, { samples }) => sum + samples.length, 0));
        const limits = families
          .get("spillway_decisions_total")
          ?.samples.map(({ labels }) => labels.limit);
        expect(new Set(limits)).toEqual(new Set([`shop/${key}`]));
      }
    }
    expect(sizes.size).toBe(1);
    const families = readMetrics(await textOf(metrics));
    expect(sampleOf(families, "spillway_rule_loads_total", { result: "good" })).toBe(RELOADS + 1);
  });

  it("keep the numbers of limits that stay", async () => {
    const { metrics, service } = watched();
    await service.limit(asking(["plain", "ann"]));
    service.replaceRules(rulesOf(RULES));
    const families = readMetrics(await textOf(metrics));
    const labels = { limit: "shop/plain", mode: "enforced", outcome: "admitted" };
    expect(sampleOf(families, "spillway_decisions_total", labels)).toBe(1);
  });
});

describe("a page of many limits", () => {
  it("is written in parts, between which other work has its turn", async () => {
    const items = Array.from(
      { length: LIMITS },
      (_, number) => `  - { key: k${number}, rate_limit: { unit: hour, requests_per_unit: 5 } }`,
    );
    const text = `domain: shop\ndescriptors:\n${items.join("\n")}`;
    const { metrics, service } = watched(parseRules([{ name: "many.yaml", text }]));
    for (let number = 0; number < LIMITS; number++) {
      await service.limit(asking([`k${number}`, "ann"]));
    }
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) afterTurn(count);
    };
    afterTurn(count);
    let longest = 0;
    let parts = 0;
    for await (const part of exposition(metrics.series)) {
      parts++;
      longest = Math.max(longest, part.length);
    }
    isOver = true;
    expect(parts).toBeGreaterThan(10);
    expect(turns).toBeGreaterThan(parts / 2);
    expect(longest).toBeLessThan(40_000);
  });
});

describe("scrapers", () => {
  /** A page without an end, and how many read it. */
  function endless() {
    const state = { readers: 0 };
    async function* text() {
      state.readers++;
      try {
        for (;;) yield `${"x".repeat(65_536)}\n`;
      } finally {
        state.readers--;
      }
    }
    return { state, page: { contentType: TEXT_FORMAT, text } };
  }

  it("that hang up half-way, or never read, are let go; a fifth at once has to wait", async () => {
    const { state, page } = endless();
    const server = await serve(RULES, { metrics: page });
    const port = Number(new URL(server.url).port);
    const sockets = Array.from({ length: 4 }, () => connect(port, "127.0.0.1"));
    for (const socket of sockets) {
      socket.write("GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n");
      await once(socket, "readable");
    }
    expect(state.readers).toBe(4);
    const fifth = await fetch(`${server.url}/metrics`);
    expect([fifth.status, fifth.headers.get("retry-after")]).toEqual([503, "1"]);
    // Meanwhile others are answered.
    const { status } = await send(server, "/v1/limit", asking(["plain", "ann"]));
    expect(status).toBe(200);
    for (const socket of sockets) socket.destroy();
    while (state.readers > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  const [METRICS, ADMIN] = ["only-for-the-metrics", "for-all-that-there-is"];
  it.each([
    ["127.0.0.1", {}, undefined, 200],
    ["0.0.0.0", {}, undefined, 403],
    ["0.0.0.0", { metricsToken: METRICS }, undefined, 401],
    ["0.0.0.0", { metricsToken: METRICS }, METRICS, 200],
    ["0.0.0.0", { metricsToken: METRICS, adminToken: ADMIN }, ADMIN, 200],
    ["127.0.0.1", { metricsToken: METRICS }, undefined, 401],
    ["127.0.0.1", { metricsToken: METRICS }, `${METRICS}!`, 401],
  ])("on %s with %j and the token %s get %d", async (host, tokens, token, status) => {
    const page = { contentType: TEXT_FORMAT, text: () => exposition([]) };
    const server = await serve(RULES, { metrics: page, ...tokens }, host);
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.url}/metrics`, { headers });
    expect(response.status).toBe(status);
    // What reads metrics may do nothing else.
    if (token === METRICS) {
      const reset = await send(server, "/v1/reset", asking(["plain", "ann"]), {
        headers: { "content-type": "application/json", ...headers },
      });
      expect(reset.status).toBe(403);
    }
  });
});

it("a service whose numbers nobody wants counts none", async () => {
  const service = createService({ rules: rulesOf(RULES) });
  const app = await createServer({ service, quiet: 0 });
  atEnd(() => app.close());
  await app.listen({ port: 0 });
  expect(app.hasRoute({ method: "GET", url: "/metrics" })).toBe(false);
});
