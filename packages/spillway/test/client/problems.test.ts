/** Problem documents of servers: what they say that headers don't, and that they can say anything. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decisionOf, type LimitedFetchOptions, limitedFetch } from "../../src/client/index.ts";
import { limitProblem } from "../../src/http/advice/problem.ts";
import { limited } from "../../src/http/middleware/fetch/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { runs } from "../runs.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const URL = "http://api.example/";
const TYPES = "https://iana.org/assignments/http-problem-types#";
type Body = ConstructorParameters<typeof Response>[0];

function problem(body: Body, { status = 429, headers = {} } = {}) {
  const type = { "Content-Type": "application/problem+json; charset=utf-8" };
  return new Response(body, { status, headers: { ...type, ...headers } });
}

function world(answer: () => Response, options: LimitedFetchOptions = {}) {
  const time = new VirtualScheduler();
  let sent = 0;
  const network = async (_url: string, _init?: RequestInit) => {
    sent++;
    return answer();
  };
  const api = limitedFetch(network, { scheduler: time, clock: time.clock, ...options });
  return { time, api: () => time.until(api(URL)), sent: () => sent };
}

describe("a problem document", () => {
  test("of a server of ours names the limit that refused, and can still be read", async () => {
    const time = new VirtualScheduler();
    const limits = { exports: { kind: "token bucket", rate: 10, period: "1h" } } as const;
    const limiter = new RateLimiter(limits, { store: memoryStore({ clock: time.clock }) });
    limiter.limit("exports", { key: "ada", count: 6 });
    const route = { limit: "exports", key: "ada", count: 5 } as const;
    const server = limited(limiter, route, () => new Response("ok"));
    const network = async (url: string, _init?: RequestInit) =>
      (await server(new Request(url))) as Response;
    const api = limitedFetch(network, { scheduler: time, clock: time.clock, wait: 1000 });
    const response = await api(URL);
    expect(decisionOf(response)).toMatchObject({
      ...{ ok: false, limit: "exports", reason: "limited" },
      ...{ capacity: 10, remaining: 4, retryAfter: 360_000 },
    });
    expect(await response.json()).toMatchObject({ "violated-policies": ["exports"] });
  });

  test.each([
    ["quota-exceeded", "limited"],
    ["abnormal-usage-detected", "blocked"],
    ["temporary-reduced-capacity", "unavailable"],
  ])("%s is %s, whatever the status", async (type, reason) => {
    const body = JSON.stringify({ type: TYPES + type });
    const { api, sent } = world(() => problem(body, { status: 403 }), { attempts: 2 });
    expect(decisionOf(await api())).toMatchObject({ reason });
    expect(sent()).toBe(2);
  });

  test("says whose wait it is, where less is left than was asked for", async () => {
    const body = JSON.stringify({
      type: `${TYPES}quota-exceeded`,
      "violated-policies": ["tokens"],
    });
    const headers = { RateLimit: '"requests";r=9;t=1, "tokens";r=3;t=40' };
    const { api } = world(() => problem(body, { headers }), { wait: 1000 });
    expect(decisionOf(await api())).toMatchObject({ limit: "tokens", retryAfter: 40_000 });
  });

  test("of another kind says nothing", async () => {
    const { api, sent } = world(() => problem('{"type":"about:blank"}', { status: 400 }));
    expect(decisionOf(await api())).toBeUndefined();
    expect(sent()).toBe(1);
  });

  test("is read no further than it may be, and is not waited for", async () => {
    let pulled = 0;
    let isOver = false;
    const endless = new ReadableStream({
      cancel() {
        isOver = true;
      },
      pull(controller) {
        pulled++;
        controller.enqueue(new TextEncoder().encode(" ".repeat(4096)));
      },
    });
    const { api } = world(() => problem(endless), { attempts: 1 });
    const response = await api();
    expect(decisionOf(response)).toMatchObject({ reason: "limited" });
    expect(pulled).toBeLessThan(10);
    // Nobody else holds on to it.
    await response.body?.cancel();
    expect(isOver).toBe(true);
    const silent = new ReadableStream({ pull: () => new Promise(() => {}) });
    const { api: patient, time } = world(() => problem(silent), { attempts: 1 });
    expect((await patient()).status).toBe(429);
    expect(time.elapsed()).toBeLessThanOrEqual(500);
  });

  test("may be anything: it never throws, and what it says is bounded", () => {
    const document = fc.record({
      type: fc.oneof(fc.constant(`${TYPES}quota-exceeded`), fc.anything()),
      "violated-policies": fc.oneof(fc.array(fc.anything(), { maxLength: 200 }), fc.anything()),
    });
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      document.map((document) => JSON.stringify(document, (_, value) => simple(value)) ?? ""),
    );
    fc.assert(
      fc.property(text, (text) => {
        const { policies = [] } = limitProblem(text) ?? {};
        expect(policies.length).toBeLessThanOrEqual(64);
        expect(policies.every((policy) => typeof policy === "string")).toBe(true);
      }),
      { numRuns: runs(200), examples: [['{"type":{"toString":0},"violated-policies":[]}']] },
    );
  });
});

function simple(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
