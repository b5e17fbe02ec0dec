/** What a route can't say, and what a guard does that no adapter shows. */
import { expect, test } from "vitest";
import { Guard, type RouteLimits } from "../../src/http/guard/index.ts";
import { MINUTE, RateLimiter, type SpillwayError } from "../../src/index.ts";
import { type Executor, resilient } from "../../src/stores/index.ts";

const limiter = new RateLimiter({
  search: { kind: "token bucket", rate: 3, period: MINUTE },
  log: { kind: "sliding log", rate: 3, period: MINUTE },
  jobs: { kind: "concurrency", capacity: 3, ttl: MINUTE },
});

const reader = { method: () => "GET", header: () => undefined, peer: () => "203.0.113.7" };

const guardOf = (route: object) => new Guard(limiter, route as RouteLimits<object>, reader);

function errorOf(route: object): Partial<SpillwayError> {
  try {
    guardOf(route);
  } catch (error) {
    return error as SpillwayError;
  }
  return {};
}

test.each([
  [{ limit: "serch" }, "unknown-limit", "limit"],
  [{ limits: [{ limit: "search" }, { limit: "serch" }] }, "unknown-limit", "limit"],
  [{ limits: "search" }, "bad-option", "limits"],
  [{ limit: "search", cost: 2 }, "unknown-field", "cost"],
  [{ limits: [{ limit: "search", skip: () => true }] }, "unknown-field", "skip"],
  [{ limit: "search", settle: 3 }, "bad-option", "settle"],
  [{ limit: "search", skip: true }, "bad-option", "skip"],
  [{ limit: "search", shadow: "yes" }, "bad-option", "shadow"],
  [{ limit: "search", whenFailed: "local" }, "bad-option", "whenFailed"],
  [{ limit: "search", timeout: 0 }, "bad-option", "timeout"],
  [{ limit: "search", wait: -1 }, "bad-option", "wait"],
  [{ limit: "search", jitter: -1 }, "bad-jitter", "jitter"],
  [{ limit: "search", jitter: Infinity }, "bad-jitter", "jitter"],
  [{ limit: "search", jitter: "1s" }, "bad-jitter", "jitter"],
  [{ limit: "search", reserve: "yes" }, "bad-option", "reserve"],
  [{ limit: "log", reserve: true }, "no-reservations", "reserve"],
  [
    { limits: [{ limit: "search" }, { limit: "jobs", reserve: true }] },
    "no-reservations",
    "reserve",
  ],
  [
    {
      limit: "it",
      config: { kind: "sliding window", rate: 1, period: MINUTE },
      reserve: true,
    },
    "no-reservations",
    "reserve",
  ],
  [{ limit: "search", headers: "draft-7" }, "bad-option", "headers"],
  [{ limit: "search", limits: [{ limit: "search" }] }, "bad-option", "limit"],
  [{ limit: "search", headers: false }, "bad-option", "headers"],
  [{ limit: "search", shedder: {} }, "bad-option", "shedder"],
  [{ limit: "search", ipv6Prefix: 65 }, "bad-option", "ipv6Prefix"],
  [{}, "bad-option", "limit"],
  [{ trust: 1 }, "bad-option", "limit"],
  [{ limit: undefined }, "bad-option", "limit"],
  [{ limit: "search", priority: "urgent" }, "bad-priority", "priority"],
  [{ limit: "search", deadline: "5s" }, "bad-option", "deadline"],
  [{ limit: "search", trust: true }, "bad-option", "trust"],
  [{ limit: "search", trust: 0 }, "bad-option", "trust"],
  [{ limit: "search", trust: ["10.0.0.0/33"] }, "bad-option", "trust"],
  [{ limit: "search", trust: { header: "CF-Connecting-IP" } }, "bad-option", "trust"],
] as const)("refuses the route %j", (route, code, field) => {
  expect(errorOf(route)).toMatchObject({ code, field });
});

test("a route that has no limits says so, or sheds", () => {
  expect(errorOf({}).message).toContain("`limits: []`");
  const shedder = { admit: () => ({ ok: true, done() {} }), name: "any" };
  for (const route of [{ limits: [] }, { limits: [], trust: 1 }, { shedder }])
    expect(errorOf(route)).toEqual({});
});

test("a decision as JSON has what the limits have decided, and nothing else", async () => {
  const { decision, decisions } = await guardOf({ limit: "search", key: "all" }).enter({});
  const passage = await guardOf({ limit: "search", key: "any" }).enter({});
  expect(decision?.remaining).toBe(2);
  expect(JSON.parse(JSON.stringify(passage))).toEqual({ decision, decisions });
});

type Sent = { readonly body?: unknown; readonly length?: string };

const readsBody = ({ body }: Sent) => (body as { name: string }).name;
const readsOther = (request: object) => (request as { user: { id: string } }).user.id;
const lacksBody = (): never => {
  throw new Error("a parser's failure, of a body");
};

test.each([
  ["none was sent", {}, readsBody, 400],
  ["none was sent, and that is written", { length: "0" }, readsBody, 400],
  [
    "none was sent, and another function reads it",
    {},
    async (request: Sent) => readsBody(request),
    500,
  ],
  ["none was sent, and it is read later", {}, async ({ body }: never) => (body as Sent).body, 400],
  ["none was sent, and something else is read", {}, readsOther, 500],
  ["none was sent, and another error is thrown", {}, lacksBody, 500],
  ["one was sent that nothing has parsed", { length: "9" }, readsBody, 500],
  ["it lacks the field", { body: {} }, readsBody, 400],
  ["the field is no text", { body: { name: ["ada"] } }, readsBody, 200],
  ["the field is an object", { body: { name: {} } }, readsBody, 400],
  ["something else is missing", { body: {} }, ({ length }: Sent) => length as string, 500],
] as const)("a key that reads a body where %s", async (_, request, key, status) => {
  const parsing = {
    ...reader,
    header: ({ length }: Sent, name: string) => (name === "content-length" ? length : undefined),
    body: ({ body }: Sent) => body,
  };
  const route = { limit: "search", key, whenFailed: "closed", onEvent: () => {} };
  const guard = new Guard<Sent>(limiter, route as RouteLimits<Sent>, parsing);
  const { refusal } = await guard.enter(request);
  expect(refusal?.status ?? 200).toBe(status);
  const error = refusal?.error() as { status?: number } | undefined;
  expect(error?.status).toBe(status === 400 ? 400 : undefined);
});

test("answers at once where all that it calls does", () => {
  expect(guardOf({ limit: "search" }).enter({})).not.toBeInstanceOf(Promise);
});

test("gives back a lease where what comes after it fails", async () => {
  const leases = new RateLimiter({ it: { kind: "concurrency", capacity: 1, ttl: MINUTE } });
  const header = () => {
    throw new Error("the request can't be read");
  };
  const route = { limit: "it", key: "k", onEvent: () => {} };
  const guard = new Guard<object>(leases, route, { ...reader, header });
  expect((await guard.enter({})).refusal?.status).toBe(500);
  expect(leases.value("it", { key: "k" }).remaining).toBe(1);
});

test("waits for what was really used no longer than its `timeout`", async () => {
  const heard = Promise.withResolvers<unknown>();
  const settle = () => new Promise<never>(() => {});
  const route = { limit: "search", key: "settled", settle, timeout: 5, onEvent: heard.resolve };
  const passage = await guardOf(route).enter({});
  passage.over({ status: 200, finished: true });
  expect(await heard.promise).toMatchObject({ type: "not settled", error: { field: "settle" } });
});

test("a skip that is truthy and not true limits, and is warned of once", async () => {
  const warnings: string[] = [];
  const limit = {
    limit: "search",
    key: "skipped",
    skip: () => 1,
    warn: (one: string) => warnings.push(one),
  };
  const guard = guardOf(limit);
  for (let n = 0; n < 2; n++) expect((await guard.enter({})).decision?.ok).toBe(true);
  expect(warnings).toEqual([expect.stringContaining("other than true, so the request is limited")]);
});

/** A store whose connection is never there. */
const silent: Executor<"later"> = {
  timing: "later",
  name: "silent",
  execute: () => new Promise(() => {}),
};

// In true time, two seconds: a check and a call each wait for the store's first deadline.
test.concurrent.each([
  ["open", undefined],
  ["closed", 503],
] as const)(
  "a limit that is %s answers for a store before the route's time is over",
  async (policy, status) => {
    const store = resilient(silent, { onEvent() {} });
    const calls = {
      kind: "leaky bucket",
      rate: 1,
      period: MINUTE,
      whenUnavailable: policy,
    } as const;
    const unanswered = new RateLimiter({ calls }, { store });
    const guard = new Guard(unanswered, { limit: "calls" }, reader);
    // At the same time: none of them is behind another, though the limit lets one start a minute.
    for (const { refusal, decision } of await Promise.all([1, 2, 3].map(() => guard.enter({}))))
      expect([refusal?.status, decision?.degraded]).toEqual([status, true]);
  },
);
