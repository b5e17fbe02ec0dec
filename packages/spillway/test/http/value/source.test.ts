/** When a page asks, when it is drawn anew, and that it stops. */
import { describe, expect, test } from "vitest";
import { limitedFetch } from "../../../src/client/index.ts";
import { limited } from "../../../src/http/middleware/fetch/index.ts";
import { type LimitView, valueHandler, valueSource } from "../../../src/http/value/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { VirtualScheduler } from "../../client/virtual-scheduler.ts";

const API = { kind: "token bucket", rate: 4, period: 4000 } as const;

/** A server and a page in one virtual time: answers take ten milliseconds. */
function world(rate: { readonly rate: number; readonly period: number } = API) {
  const time = new VirtualScheduler();
  const limits = { api: { ...API, ...rate } };
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock: time.clock }) });
  const handler = valueHandler(limiter, { limit: "api", key: "ada" });
  const asked: number[] = [];
  let answer = async (request: Request) => (await handler(request)) as Response;
  const fetch = async (url: string) => {
    asked.push(time.elapsed());
    await time.sleep(5);
    const response = await answer(new Request(`http://page${url}`));
    await time.sleep(5);
    return response;
  };
  const source = valueSource("/left", { fetch, scheduler: time });
  const messages = limited(limiter, { limit: "api", key: "ada" }, () => new Response("ok"));
  const send = source.watch(async (url: string) => (await messages(new Request(url))) as Response);
  const answerWith = (make: () => Response) => {
    answer = async () => make();
  };
  return { time, limiter, source, asked, send, answerWith };
}

const view = ({ status, ok, remaining, retryAfter }: LimitView) => ({
  status,
  ok,
  remaining,
  retryAfter,
});

describe("a source", () => {
  test("asks once for all who listen, and knows nothing before", async () => {
    const { time, source, asked } = world();
    const stops = [source.subscribe(() => {}), source.subscribe(() => {}, 2)];
    expect(view(source.view())).toEqual({
      status: "loading",
      ok: true,
      remaining: undefined,
      retryAfter: 0,
    });
    await time.advance(60_000);
    expect(asked).toEqual([0]);
    expect(view(source.view())).toEqual({ status: "ready", ok: true, remaining: 4, retryAfter: 0 });
    for (const stop of stops) stop();
  });

  test("calls whoever listens when a unit is back or a second has gone by, and then never again", async () => {
    const { time, limiter, source } = world();
    for (let unit = 0; unit < 4; unit++) limiter.limit("api", { key: "ada" });
    const seen: [at: number, remaining: number | undefined, wait: number][] = [];
    const stop = source.subscribe(() => {
      const { remaining, retryAfter } = source.view(2);
      seen.push([time.elapsed(), remaining, retryAfter]);
    }, 2);
    await time.advance(60_000);
    // The server has counted from 5 ms on; the page only knows since 10.
    expect(seen).toEqual([
      [10, 0, 1995],
      [1005, 1, 1000],
      [2005, 2, 0],
      [3005, 3, 0],
      [4005, 4, 0],
    ]);
    stop();
  });

  test("has one timer at most, and none when nobody listens", async () => {
    const { time, limiter, source } = world();
    for (let unit = 0; unit < 4; unit++) limiter.limit("api", { key: "ada" });
    const stops = [1, 2, 3].map((count) => source.subscribe(() => {}, count));
    await time.advance(20);
    expect(time.waiting).toBe(1);
    for (const stop of stops) stop();
    expect(time.waiting).toBe(0);
    // Whoever comes back, as React's strict mode does, is up to date, and asks nothing.
    await time.advance(2000);
    const calls: number[] = [];
    const again = source.subscribe(() => calls.push(time.elapsed()));
    expect(source.view().remaining).toBe(2);
    expect(time.waiting).toBe(1);
    again();
    again();
    expect(time.waiting).toBe(0);
  });

  test("returns the same view until something changes", async () => {
    const { time, source } = world();
    source.subscribe(() => {});
    await time.advance(20);
    const before = source.view();
    await time.until(source.refresh());
    expect(source.view()).toBe(before);
  });

  test("counts on for who only looks, and draws nothing anew before something changes", async () => {
    const { time, limiter, source } = world();
    for (let unit = 0; unit < 4; unit++) limiter.limit("api", { key: "ada" });
    await time.until(source.refresh());
    const before = source.view(2);
    expect(view(before)).toEqual({ status: "ready", ok: false, remaining: 0, retryAfter: 1995 });
    await time.advance(500);
    expect(source.view(2)).toBe(before);
    await time.advance(500);
    expect(view(source.view(2))).toEqual({ ...view(before), remaining: 1, retryAfter: 995 });
    await time.advance(995);
    expect(view(source.view(2))).toEqual({
      ...view(before),
      ok: true,
      remaining: 2,
      retryAfter: 0,
    });
    source.subscribe(() => {}, 2)();
    await time.advance(60_000);
    expect(source.view(2).remaining).toBe(4);
    expect(time.waiting).toBe(0);
  });

  test("does not draw a limit of thousands a second more than ten times a second", async () => {
    const { time, limiter, source } = world({ rate: 5000, period: 1000 });
    limiter.limit("api", { key: "ada", count: 5000 });
    let calls = 0;
    source.subscribe(() => calls++);
    await time.advance(1010);
    expect(calls).toBeLessThanOrEqual(11);
    expect(source.view().remaining).toBe(5000);
  });
});

describe("own requests", () => {
  test("count at once, without a question", async () => {
    const { time, source, asked, send } = world();
    source.subscribe(() => {});
    await time.advance(20);
    await send("http://page/messages");
    expect(source.view().remaining).toBe(3);
    for (let unit = 0; unit < 4; unit++) await send("http://page/messages");
    expect(source.view()).toMatchObject({ ok: false, remaining: 0 });
    // By the limit's own arithmetic: a second after it was empty.
    const { retryAfter } = source.view();
    expect(retryAfter).toBeGreaterThan(900);
    await time.advance(retryAfter);
    expect(source.view()).toMatchObject({ ok: true, remaining: 1 });
    expect(asked).toEqual([0]);
  });

  test("say that more is left: then it is asked for", async () => {
    const { time, limiter, source, asked, send } = world();
    for (let unit = 0; unit < 4; unit++) limiter.limit("api", { key: "ada" });
    source.subscribe(() => {});
    await time.advance(20);
    limiter.reset("api", { key: "ada" });
    await send("http://page/messages");
    await time.advance(20);
    expect(asked.length).toBe(2);
    expect(source.view().remaining).toBe(3);
  });

  test("are refused where there should be some left: then it is asked for", async () => {
    const { time, limiter, source, asked, send } = world();
    source.subscribe(() => {});
    await time.advance(20);
    limiter.block("api", { key: "ada", for: 60_000 });
    await send("http://page/messages");
    await time.advance(20);
    expect(asked.length).toBe(2);
    expect(source.view()).toMatchObject({ ok: false, reason: "blocked" });
    expect(source.view().retryAfter).toBeGreaterThan(59_000);
  });

  test("on other limits say nothing", async () => {
    const { time, source, asked } = world();
    source.subscribe(() => {});
    await time.advance(20);
    const headers = new Headers({ RateLimit: '"other";r=0;t=5' });
    source.heard({ status: 429, headers });
    source.heard({ status: 200, headers: new Headers({ RateLimit: "nonsense" }) });
    expect([source.view().remaining, asked.length]).toEqual([4, 1]);
  });

  test("may go by a client that waits", async () => {
    const { time, source } = world();
    const network = async (_url: string, _init?: RequestInit) => new Response("ok");
    const api = source.watch(limitedFetch(network, { scheduler: time, clock: time.clock }));
    expect(await (await api("http://page/")).text()).toBe("ok");
  });
});

describe("an answer that is none", () => {
  test.each<[string, () => Response]>([
    ["an error", () => new Response("no", { status: 500 })],
    ["a page of a proxy", () => new Response("<html>")],
    ["other JSON", () => Response.json({ hello: "world" })],
    ["null", () => Response.json(null)],
    ["numbers that are none", () => Response.json({ limit: "a", capacity: "1", remaining: NaN })],
    [
      "a limit that is none",
      () =>
        Response.json({
          ...{ limit: "a", capacity: 1, remaining: 1, resetAfter: 0, blockedFor: 0 },
          state: { definition: { kind: "bucket" }, used: 0, previous: 0, age: 0 },
        }),
    ],
  ])("is a failure, and nothing else: %s", async (_, answer) => {
    const { time, source, asked, answerWith } = world();
    answerWith(answer);
    source.subscribe(() => {});
    await time.advance(60_000);
    expect(view(source.view())).toMatchObject({ status: "failed", ok: true });
    // It is not asked again and again.
    expect(asked.length).toBe(1);
    expect(time.waiting).toBe(0);
  });

  test("leaves what is known, and is over with the next one", async () => {
    const { time, limiter, source, answerWith } = world();
    limiter.limit("api", { key: "ada", count: 4 });
    source.subscribe(() => {});
    await time.advance(20);
    answerWith(() => new Response("no", { status: 500 }));
    await time.until(source.refresh());
    expect(source.view()).toMatchObject({ status: "failed", remaining: 0, ok: false });
    await time.advance(1000);
    expect(source.view()).toMatchObject({ status: "failed", remaining: 1, ok: true });
  });

  test("that never comes ends after a while", async () => {
    const { time } = world();
    const hanging = (_url: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const source = valueSource("/", { fetch: hanging as never, scheduler: time, wait: 500 });
    source.subscribe(() => {});
    await time.advance(499);
    expect(source.view().status).toBe("loading");
    await time.advance(2);
    expect(source.view().status).toBe("failed");
  });
});

test.each<[string, () => Promise<unknown>]>([
  ["no answer", () => new Promise(() => {})],
  ["no body", async () => ({ ok: true, status: 200, json: () => new Promise(() => {}) })],
])("a fetch that takes no notice of its signal holds nobody up: %s", async (_, fetch) => {
  const time = new VirtualScheduler();
  const source = valueSource("/", { fetch: fetch as never, scheduler: time, wait: 500 });
  let isOver = false;
  void source.refresh().then(() => {
    isOver = true;
  });
  await time.advance(499);
  expect(isOver).toBe(false);
  await time.advance(2);
  expect([isOver, time.waiting]).toEqual([true, 0]);
});

test("options that are none are refused", () => {
  expect(() => valueSource("/", { waits: 5 } as never)).toThrow("waits");
  expect(() => valueSource("/", { wait: 0 })).toThrow("wait");
  expect(() => valueSource("/", { fetch: 5 as never })).toThrow("fetch");
  expect(() => valueSource("/", { initial: {} as never })).toThrow("snapshot of a limit");
});
