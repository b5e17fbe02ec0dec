/** Limits whose mode is not "enforce", behind a guard. */
import { expect, test } from "vitest";
import { Guard, type RouteEvent } from "../../src/http/guard/index.ts";
import { type Limits, RateLimiter } from "../../src/index.ts";

const BUCKET = { kind: "token bucket", rate: 2, period: "10s" } as const;
const reader = { method: () => "GET", header: () => undefined, peer: () => "203.0.113.7" };

function scene(route: object = { limit: "it", key: () => "k" }) {
  const limiter = new RateLimiter<Limits>({ it: BUCKET, other: BUCKET });
  const events: RouteEvent<object>[] = [];
  const onEvent = (event: RouteEvent<object>) => events.push(event);
  const guard = new Guard<object>(limiter, { ...route, onEvent } as never, reader);
  return { limiter, guard, events };
}

test("a limit in shadow mode refuses no request, sends no headers, and reports refusals", async () => {
  const { limiter, guard, events } = scene();
  limiter.setMode("shadow", { limit: "it" });
  for (let request = 0; request < 3; request++) {
    const passage = await guard.enter({});
    expect(passage).toMatchObject({ refusal: undefined, headers: [] });
    passage.over({ status: 200, finished: true });
  }
  const decision = expect.objectContaining({ ok: false, reason: "limited" });
  expect(events).toEqual([{ type: "refused", request: {}, decision, shadow: true }]);
});

test("a shadow's refusal is reported beside that of a limit that is enforced", async () => {
  const limits = ["it", "other"].map((limit) => ({ limit, key: () => "k" }));
  const { limiter, guard, events } = scene({ limits });
  limiter.setMode("shadow", { limit: "other" });
  for (const limit of ["it", "other"]) limiter.limit(limit, { key: "k", count: 2 });
  expect((await guard.enter({})).refusal).toMatchObject({ status: 429 });
  const seen = events.map(
    (event) => event.type === "refused" && [event.decision.limit, event.shadow],
  );
  expect(seen).toEqual([
    ["other", true],
    ["it", false],
  ]);
});

test("only limits that are enforced are in the headers", async () => {
  const limits = [
    { limit: "it", key: () => "k" },
    { limit: "other", key: () => "k" },
  ];
  const { limiter, guard } = scene({ limits });
  limiter.setMode("off", { limit: "it" });
  const [policy] = (await guard.enter({})).headers;
  expect(policy).toEqual(["RateLimit-Policy", '"other";q=2;w=10']);
});

test("headers show a limit as it is defined when it is asked", async () => {
  const { limiter, guard } = scene();
  await guard.enter({});
  limiter.update({ it: { ...BUCKET, rate: 7 } });
  const { headers } = await guard.enter({});
  expect(headers).toContainEqual(["RateLimit-Policy", '"it";q=7;w=10']);
});

test("what was not taken is not settled", async () => {
  const { limiter, guard } = scene({ limit: "it", key: () => "k", settle: () => 0 });
  limiter.limit("it", { key: "k", count: 2 });
  limiter.setMode("shadow");
  const passage = await guard.enter({});
  passage.over({ status: 200, finished: true });
  expect(limiter.value("it", { key: "k" })).toMatchObject({ remaining: 0 });
});

test("a leaky bucket in shadow mode starts requests at once, however many there are", async () => {
  const queue = { kind: "leaky bucket", rate: 1, period: "1m", capacity: 9, mode: "shadow" };
  const limiter = new RateLimiter<Limits>({ it: queue as never });
  const guard = new Guard<object>(limiter, { limit: "it", key: () => "k", wait: 10 }, reader);
  for (let request = 0; request < 5; request++) {
    expect((await guard.enter({})).refusal).toBeUndefined();
  }
});
