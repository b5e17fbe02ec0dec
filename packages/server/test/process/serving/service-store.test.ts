/** A limiter whose store is a real `spillway serve`: tokens, who shares what, and what faults do. */
import { type Limits, RateLimiter } from "spillway";
import { type ServiceStoreOptions, type StoreEvent, serviceStore } from "spillway/service";
import { describe, expect, test } from "vitest";
import { startService } from "../../support/service-process.ts";

const rules = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: 5 }
`;

const limits = {
  login: { kind: "token bucket", rate: 5, period: "366d" },
  "shop/user": { kind: "token bucket", rate: 3, period: "366d" },
  jobs: { kind: "concurrency", capacity: 3, ttl: "1h" },
} as const satisfies Limits;

/** Patient where the machine is busy. */
const DEADLINE = 5000;

function limiterAt(url: string, options: ServiceStoreOptions = {}) {
  const store = serviceStore(url, { deadline: DEADLINE, warn: () => {}, ...options });
  return new RateLimiter(limits, { store });
}

/** How many of some asks were admitted. */
async function admitted(asks: readonly Promise<{ readonly ok: boolean }>[]): Promise<number> {
  return (await Promise.all(asks)).filter(({ ok }) => ok).length;
}

const ask = (limiter: ReturnType<typeof limiterAt>, times: number, key = "ann") =>
  Array.from({ length: times }, () => limiter.limit("login", { key }));

describe("programs", () => {
  test("with one prefix share budgets, to the unit; others and rules have their own", async () => {
    await using service = await startService({ rules });
    const [one, two] = [limiterAt(service.url), limiterAt(service.url)];
    const other = limiterAt(service.url, { prefix: "another" });
    expect(await admitted([...ask(one, 20), ...ask(two, 20)])).toBe(5);
    expect(await admitted(ask(other, 20))).toBe(5);
    expect(await admitted(Array.from({ length: 9 }, () => one.limit("shop/user")))).toBe(3);
    await one.reset("shop/user");
    const entries = [{ key: "user", value: "ann" }];
    const { body } = await service.post("/v1/limit", {
      domain: "shop",
      descriptors: [{ entries }],
    });
    expect(body).toMatchObject({ ok: true, limit: "shop/user", remaining: 4 });
  });

  test("settle, block, hold and release what others see", async () => {
    await using service = await startService({ rules });
    const [one, two] = [limiterAt(service.url), limiterAt(service.url)];
    await one.limit("login", { key: "ann", count: 4 });
    await one.settle("login", { key: "ann", reserved: 4, used: 1 });
    expect(await two.value("login", { key: "ann" })).toMatchObject({ remaining: 4 });
    await one.block("login", { key: "ann", for: "1h" });
    expect(await two.limit("login", { key: "ann" })).toMatchObject({
      ok: false,
      reason: "blocked",
    });
    await two.unblock("login", { key: "ann" });
    const lease = await one.acquire("jobs", { key: "ann", count: 3 });
    expect(await two.acquire("jobs", { key: "ann" })).toMatchObject({ ok: false });
    await lease.release();
    expect(await two.acquire("jobs", { key: "ann" })).toMatchObject({ ok: true });
    const both = [
      { limit: "login", key: "ann", count: 4 } as const,
      { limit: "jobs", key: "ann", count: 3 } as const,
    ];
    expect(await one.limitAll(both)).toMatchObject({ ok: false, refused: ["jobs"] });
    expect(await one.value("login", { key: "ann" })).toMatchObject({ remaining: 4 });
  });

  test("need a token where there is one, for this and no more", async () => {
    const [STORE_TOKEN, ADMIN_TOKEN] = ["only-for-the-stores", "for-all-that-there-is"];
    const env = { SPILLWAY_STORE_TOKEN: STORE_TOKEN, SPILLWAY_ADMIN_TOKEN: ADMIN_TOKEN };
    await using service = await startService({ rules, env });
    const decisionWith = (token?: string) =>
      limiterAt(service.url, token === undefined ? {} : { token }).limit("login", { key: "ann" });
    expect(await decisionWith()).toMatchObject({ ok: false, reason: "unavailable" });
    expect(await decisionWith("wrong")).toMatchObject({ ok: false, reason: "unavailable" });
    expect(await decisionWith(STORE_TOKEN)).toMatchObject({ ok: true, degraded: undefined });
    expect(await decisionWith(ADMIN_TOKEN)).toMatchObject({ ok: true, degraded: undefined });
    const reset = await fetch(`${service.url}/v1/reset`, {
      method: "POST",
      headers: { authorization: `Bearer ${STORE_TOKEN}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(reset.status).toBe(401);
  });
});

describe("a service", () => {
  test("that is stopped costs a deadline, not every call, and is asked again when it goes on", async () => {
    await using service = await startService({ rules });
    const events: StoreEvent["type"][] = [];
    const resumed = Promise.withResolvers<void>();
    const onEvent = ({ type }: StoreEvent) => {
      events.push(type);
      if (type === "resumed") resumed.resolve();
    };
    const breaker = { failures: 1, pause: 20 };
    const limiter = limiterAt(service.url, { deadline: 500, breaker, onEvent });
    expect(await limiter.limit("login", { key: "ann" })).toMatchObject({ remaining: 4 });
    service.signal("SIGSTOP");
    expect(await limiter.limit("login", { key: "ann" })).toMatchObject({ reason: "unavailable" });
    expect(events).toContain("paused");
    service.signal("SIGCONT");
    // Answers that come late are no longer waited for, and have charged what they charged: never more.
    while (!events.includes("resumed")) await limiter.limit("login", { key: "probe" });
    await resumed.promise;
    const { remaining } = await limiter.value("login", { key: "ann" });
    expect([3, 4]).toContain(remaining);
    expect(await admitted(ask(limiter, 9))).toBe(remaining);
  });

  test("that is killed in the middle of load admits no more than the limit, over the same state", async () => {
    await using first = await startService({ rules });
    const limiter = limiterAt(first.url);
    const asks = ask(limiter, 3);
    const before = await admitted(asks);
    const late = ask(limiter, 50, "ben");
    first.signal("SIGKILL");
    expect(await admitted(late)).toBeLessThanOrEqual(5);
    expect(before).toBe(3);
    expect(await limiter.limit("login", { key: "ann" })).toMatchObject({ degraded: true });
  });

  test("refuses what no store would send, and says what", async () => {
    await using service = await startService({ rules });
    const limit = { kind: "token bucket", rate: 5, period: 1000 };
    const jobs = { kind: "concurrency", capacity: 5, ttl: 1000 };
    const penalty = { after: 3, within: "1m", block: "1h", most: "2h" };
    const body = (command: object, definition: object = limit) => ({
      prefix: "p",
      limits: [{ name: "a", limit: definition }],
      commands: [{ verb: "limit", budgets: [{ limit: 0 }], ...command }],
    });
    const wrong: readonly (readonly [object, RegExp])[] = [
      [body({}, { kind: "token bucket", rate: 0.5, period: 1000 }), /rate/],
      [body({}, { ...limit, whenUnavailable: "maybe" }), /whenUnavailable/],
      [body({}, { ...limit, penalty }), /penalty.*rule file/],
      [body({ verb: "drop" }), /verb/],
      [body({ budgets: [{ limit: 1 }] }), /commands\[0\]\.budgets\[0\]\.limit/],
      [body({ budgets: [{ limit: 0 }, { limit: 0 }] }), /each budget once/],
      [body({ budgets: [{ limit: 0, count: -1 }] }), /count/],
      [body({ budgets: [{ limit: 0, count: 0.5 }] }), /count/],
      [body({ budgets: [{ limit: 0, key: "k".repeat(257) }] }), /256/],
      [body({ budgets: [{ limit: 0, lease: { id: 1, headroom: 0 } }] }), /no lease/],
      [body({}, jobs), /a lease/],
      [
        body({ budgets: [{ limit: 0, reserve: true, lease: { id: 1, headroom: 0 } }] }, jobs),
        /reserv/,
      ],
      [body({ verb: "release" }, jobs), /a lease/],
      [body({ verb: "release", lease: { id: 1, count: 1 } }), /concurrency/],
      [body({ verb: "settle" }), /settlement/],
      [body({ verb: "block" }), /ms/],
      [body({ verb: "block", ms: 0 }), /ms/],
      [body({ verb: "value", budgets: [{ limit: 0 }, { limit: 0, key: "b" }] }), /one budget/],
      [{ ...body({}), prefix: "a b" }, /prefix/],
      [{ ...body({}), more: 1 }, /more/],
    ];
    for (const [sent, pattern] of wrong) {
      const answer = await service.post("/v1/commands", sent);
      expect(answer, JSON.stringify(sent)).toMatchObject({ status: 400 });
      expect(answer.body.detail).toMatch(pattern);
    }
  });
});
