/** Limits of one's own that count what is in flight, and several together. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { type LimitedFetchOptions, limitedFetch } from "../../src/client/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { listening } from "../http/middleware/host.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const URL = "http://api.example/";

const LIMITS = {
  inFlight: { kind: "concurrency", capacity: 2, ttl: "1m" },
  all: { kind: "concurrency", capacity: 3, ttl: "1m" },
  partner: { kind: "token bucket", rate: 10, period: "1s", capacity: 4 },
} as const;

/** A client whose answers have bodies that are read when the test reads them. */
function world(options: { readonly limit: LimitedFetchOptions<typeof LIMITS>["limit"] }) {
  const time = new VirtualScheduler();
  const store = memoryStore({ clock: time.clock });
  const limiter = new RateLimiter(LIMITS, { store });
  const sent: { readonly at: number; readonly url: string }[] = [];
  const network = async (url: string, init?: RequestInit) => {
    sent.push({ at: time.elapsed(), url });
    await time.sleep(10);
    init?.signal?.throwIfAborted();
    if (url.endsWith("fails")) throw new TypeError("fetch failed");
    return Object.defineProperty(new Response("body"), "url", { value: url });
  };
  const made = () =>
    limitedFetch(network, {
      ...{ limiter, key: "our account", scheduler: time, clock: time.clock, pacing: false },
      ...options,
      attempts: 1,
    });
  const held = (limit: "inFlight" | "all" = "inFlight") =>
    LIMITS[limit].capacity - limiter.value(limit, { key: "our account" }).remaining;
  return { time, limiter, sent, api: made(), made, held };
}

test("a lease lasts until the body has been read, and the next request goes then", async () => {
  const { time, sent, api, held } = world({ limit: "inFlight" });
  const [one, two, three] = [api(`${URL}1`), api(`${URL}2`), api(`${URL}3`)];
  const first = await time.until(one);
  await time.until(two);
  await time.advance(400);
  expect([sent.length, held()]).toEqual([2, 2]);
  expect(await first.text()).toBe("body");
  await time.advance(0);
  expect(sent.map(({ at }) => at)).toEqual([0, 0, 410]);
  expect(first.url).toBe(`${URL}1`);
  await (await time.until(three)).body?.cancel();
  await (await two).text();
  expect(held()).toBe(0);
});

test("is given back where there is no body, where it fails, and where it is broken off", async () => {
  const { time, api, held } = world({ limit: "inFlight" });
  await time.until(api(`${URL}fails`).catch(() => {}));
  expect(held()).toBe(0);
  const controller = new AbortController();
  const broken = api(URL, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(time.until(broken)).rejects.toThrow("enough");
  expect(held()).toBe(0);
});

test("is held for answers with which no program could make a response", async () => {
  const limiter = new RateLimiter(LIMITS);
  const running = await listening(
    createServer((_, response) => {
      response.writeHead(999, { Connection: "close" }).end("no");
    }),
  );
  const api = limitedFetch(fetch, { limiter, limit: "inFlight", key: "our account" });
  const response = await api(`http://127.0.0.1:${running.port}/`);
  const left = () => limiter.value("inFlight", { key: "our account" }).remaining;
  expect([response.status, response.ok, left()]).toEqual([999, false, 1]);
  expect([await response.text(), left()]).toEqual(["no", 2]);
  await running.close();
});

test("who waits in another process looks for it, and is sent soon after it is given back", async () => {
  const { time, sent, api, made, held } = world({ limit: "inFlight" });
  const both = await time.until(Promise.all([api(`${URL}1`), api(`${URL}2`)]));
  const other = made()(`${URL}3`);
  await time.advance(600);
  expect(sent.length).toBe(2);
  await both[0].text();
  await time.until(other);
  expect(sent.at(-1)?.at).toBeLessThanOrEqual(610 + 500);
  expect(held()).toBe(2);
});

test("several are taken together, or none is", async () => {
  const { time, limiter, sent, api, held } = world({ limit: ["all", "inFlight", "partner"] });
  const all = Array.from({ length: 5 }, (_, number) => api(`${URL}${number}`));
  await time.advance(20);
  expect([sent.length, held(), held("all")]).toEqual([2, 2, 2]);
  // What was refused by one was not charged to the others.
  expect(limiter.value("partner", { key: "our account" }).remaining).toBe(2);
  for (const answer of all) await (await time.until(answer)).text();
  expect([sent.length, held(), held("all")]).toEqual([5, 0, 0]);
  const afterBurst = sent.map(({ at }) => at).at(-1);
  expect(afterBurst).toBeGreaterThan(0);
});

test("a leaky bucket's starts are as far apart as it says", async () => {
  const time = new VirtualScheduler();
  const limits = { crawl: { kind: "leaky bucket", rate: 2, period: "1s", capacity: 9 } } as const;
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock: time.clock }) });
  const sent: number[] = [];
  const network = async (_url: string) => {
    sent.push(time.elapsed());
    return new Response("page");
  };
  const own = { limiter, limit: "crawl", key: "site" } as const;
  const api = limitedFetch(network, { ...own, scheduler: time, clock: time.clock });
  await time.until(Promise.all(Array.from({ length: 4 }, () => api(URL))));
  expect(sent).toEqual([0, 500, 1000, 1500]);
});

test("who has waited for a start waits again where the server has said so meanwhile", async () => {
  const time = new VirtualScheduler();
  const limits = { crawl: { kind: "leaky bucket", rate: 1, period: "1s", capacity: 9 } } as const;
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock: time.clock }) });
  const sent: number[] = [];
  const network = async (_url: string) => {
    sent.push(time.elapsed());
    await time.sleep(200);
    const status = sent.length === 1 ? 429 : 200;
    return new Response("page", { status, headers: { "Retry-After": "5" } });
  };
  const own = { limiter, limit: "crawl", key: "site" } as const;
  const api = limitedFetch(network, { ...own, scheduler: time, clock: time.clock, attempts: 1 });
  await time.until(Promise.all([api(URL), api(URL)]));
  // The start was to be after a second, in which the answer says five.
  expect(sent.length).toBe(2);
  expect(sent[1]).toBeGreaterThanOrEqual(5200);
});

test("a long line is sent by a short stack", async () => {
  const time = new VirtualScheduler();
  const limits = { api: { kind: "token bucket", rate: 50_000, period: "1h" } } as const;
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock: time.clock }) });
  let sent = 0;
  const network = async (_url: string) => {
    const isFirst = sent++ === 0;
    await time.sleep(1);
    return isFirst
      ? new Response("", { status: 429, headers: { "retry-after-ms": "50" } })
      : new Response("ok");
  };
  const own = { limiter, limit: "api", key: "a", maxWaiting: 50_000, pacing: false } as const;
  const api = limitedFetch(network, { ...own, scheduler: time, clock: time.clock });
  const all = [api(URL)];
  await time.advance(2);
  for (let request = 1; request < 2500; request++) all.push(api(URL));
  await time.until(Promise.all(all));
  expect(sent).toBe(2501);
});

test("what was taken for somebody who has gone is given back", async () => {
  const time = new VirtualScheduler();
  const limiter = new RateLimiter(LIMITS, { store: later(time) });
  const network = async (_url: string, _init?: RequestInit) => new Response("body");
  const own = { limiter, limit: "inFlight", key: "our account" } as const;
  const api = limitedFetch(network, { ...own, scheduler: time, clock: time.clock });
  const controller = new AbortController();
  const gone = api(URL, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(gone).rejects.toThrow("enough");
  await time.advance(1000);
  expect((await time.until(limiter.value("inFlight", { key: "our account" }))).remaining).toBe(2);
});

test("names of limits that are none are refused when the client is made", () => {
  const limiter = new RateLimiter(LIMITS);
  const made = (limit: unknown) => () => limitedFetch(fetch, { limiter, limit } as never);
  expect(made([])).toThrow("limit");
  expect(made(5)).toThrow("limit");
  for (const limit of ["other", ["partner", "other"], [5]])
    expect(made(limit)).toThrow(expect.objectContaining({ code: "unknown-limit" }));
  expect(made("partnr")).toThrow('Did you mean "partner"?');
});

/** A memory store as if it were far away: it answers a while later. */
function later(time: VirtualScheduler): Store<"later"> {
  const store = memoryStore({ clock: time.clock });
  return {
    timing: "later",
    execute: async (command) => {
      await time.sleep(50);
      return store.execute(command);
    },
  };
}

test("no more are under way than may be while several are asked for on a store far away", async () => {
  const time = new VirtualScheduler();
  const store = memoryStore({ clock: time.clock });
  const execute = async (command: Parameters<typeof store.execute>[0]) => {
    await time.sleep(50);
    return store.execute(command);
  };
  const far = { timing: "later", execute } as unknown as Store<"later">;
  const limiter = new RateLimiter(LIMITS, { store: far });
  let underWay = 0;
  let most = 0;
  const network = async (_url: string) => {
    most = Math.max(most, ++underWay);
    await time.sleep(500);
    underWay--;
    return new Response("");
  };
  const own = { limiter, limit: "partner", key: "us" } as const;
  const api = limitedFetch(network, { ...own, scheduler: time, clock: time.clock, concurrency: 2 });
  const all = Promise.all(Array.from({ length: 20 }, () => api(URL)));
  expect((await time.until(all)).length).toBe(20);
  expect(most).toBe(2);
});

/** A client with a leaky bucket of one a second, of which the first was just sent. */
async function crawling(away = 0) {
  const time = new VirtualScheduler();
  const limits = { crawl: { kind: "leaky bucket", rate: 1, period: "1s", capacity: 9 } } as const;
  const store = memoryStore({ clock: time.clock });
  const far = {
    timing: "later",
    execute: async (command: Parameters<typeof store.execute>[0]) => {
      await time.sleep(away);
      return store.execute(command);
    },
  } as unknown as Store<"later">;
  const limiter =
    away === 0 ? new RateLimiter(limits, { store }) : new RateLimiter(limits, { store: far });
  const sent: number[] = [];
  const network = async (_url: string, _init?: RequestInit) => {
    sent.push(time.elapsed());
    return new Response("ok");
  };
  const { clock } = time;
  const own = { limiter, limit: "crawl", key: "us" } as unknown as LimitedFetchOptions;
  const api = limitedFetch(network, { ...own, scheduler: time, clock, pacing: false });
  await time.until(api(URL));
  const from = sent[0] as number;
  return { time, api, since: () => sent.map((at) => at - from), from };
}

test.each([0, 5])(
  "who does not wait for a leaky bucket's next start is refused at once (%i)",
  async (away) => {
    const { time, api, since, from } = await crawling(away);
    const soon = () => api(URL, { spillway: { wait: 300 } });
    await expect(time.until(soon())).rejects.toMatchObject({ code: "limited" });
    expect(time.elapsed() - from).toBeLessThan(20);
    expect(time.waiting).toBe(0);
    // The start is kept, so that others are refused without taking one each, and who waits for it has it.
    await expect(time.until(soon())).rejects.toMatchObject({
      decision: { retryAfter: expect.any(Number) },
    });
    expect(time.elapsed() - from).toBeLessThan(20);
    await time.until(api(URL));
    expect(since()).toEqual([0, 1000]);
  },
);

test("who comes back when it was said to has a leaky bucket's start", async () => {
  const { time, api, since } = await crawling();
  const refusal = await time.until(
    api(URL, { spillway: { wait: 300 } }).catch((error: unknown) => error),
  );
  const { retryAfter } = (refusal as { decision: { retryAfter: number } }).decision;
  await time.advance(retryAfter);
  await time.until(api(URL, { spillway: { wait: 0 } }));
  expect(since()).toEqual([0, 1000]);
});

test("a leaky bucket leaves no timer after an abort, and a start that is over to nobody", async () => {
  const { time, api, since } = await crawling();
  const controller = new AbortController();
  const waiting = api(URL, { signal: controller.signal });
  await time.advance(100);
  expect(time.waiting).toBeGreaterThan(0);
  controller.abort(new Error("enough"));
  await expect(time.until(waiting)).rejects.toThrow("enough");
  await time.advance(0);
  expect(time.waiting).toBe(0);
  await time.advance(1500);
  await time.until(Promise.all([api(URL), api(URL)]));
  expect(since()).toEqual([0, 2000, 3000]);
});
