/** What a client does with one host, in virtual time: who goes first, how many, and when it stops. */
import { describe, expect, test } from "vitest";
import {
  type ClientEvent,
  decisionOf,
  type LimitedFetchOptions,
  limitedFetch,
} from "../../src/client/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Scheduler } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const URL = "http://api.example/";

/** A client in virtual time, whose requests take a while; what was sent, and when. */
function world(
  answer: (sent: number, url: string) => Response | Error | Promise<Response>,
  options: LimitedFetchOptions = {},
) {
  const time = new VirtualScheduler();
  const sent: { readonly at: number; readonly url: string }[] = [];
  const events: ClientEvent[] = [];
  const network = async (url: string, _init?: RequestInit) => {
    sent.push({ at: time.elapsed(), url });
    const answered = await answer(sent.length, url);
    await time.sleep(10);
    if (answered instanceof Error) throw answered;
    return answered;
  };
  const api = limitedFetch(network, {
    scheduler: time,
    clock: time.clock,
    random: seededRandom(1),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { time, sent, events, api };
}

const ok = () => new Response("ok");
const refused = (seconds: number) =>
  new Response("no", { status: 429, headers: { "Retry-After": String(seconds) } });

describe("a queue", () => {
  test("has the most important first, and among equals who came first", async () => {
    const { time, sent, api } = world(ok, { concurrency: 1 });
    const all = ["low 1", "normal 1", "critical 1", "low 2", "background 1", "normal 2"].map(
      (name) => {
        const priority = name.split(" ")[0] as "low";
        return api(URL + name, { spillway: { priority } });
      },
    );
    await time.until(Promise.all(all));
    // The first finds nobody in its way; a higher priority has more turns, but not all of them.
    const order = ["low 1", "critical 1", "normal 1", "low 2", "normal 2", "background 1"];
    expect(sent.map(({ url }) => url.slice(URL.length))).toEqual(order);
  });

  test("sends at once to an idle host what may not wait, though its clock goes on meanwhile", async () => {
    const time = new VirtualScheduler();
    let reads = 0;
    const elapsed = () => time.elapsed() + ++reads / 1000;
    const { clock } = time;
    const scheduler: Scheduler = {
      elapsed,
      alarm: (ms, call) => time.alarm(ms, call),
      afterDelay: (ms, call) => time.afterDelay(ms, call),
      afterTurn: (call) => time.afterTurn(call),
    };
    const api = limitedFetch(async (_url: string) => ok(), { scheduler, clock, wait: 0 });
    for (let count = 0; count < 200; count++) expect((await api(URL)).status).toBe(200);
  });

  test("has who is sent again before those of its priority who are not, and after others", async () => {
    const failing = (number: number) => (number === 1 ? new Response("", { status: 500 }) : ok());
    const backoff = { first: 1, most: 1 };
    const { time, sent, api } = world(failing, { concurrency: 1, backoff });
    const all = ["normal 1", "normal 2", "critical 1", "normal 3"].map((name) =>
      api(URL + name, { spillway: { priority: name.split(" ")[0] as "normal" } }),
    );
    await time.until(Promise.all(all));
    const order = ["normal 1", "critical 1", "normal 1", "normal 2", "normal 3"];
    expect(sent.map(({ url }) => url.slice(URL.length))).toEqual(order);
  });

  test("never has more under way than it may", async () => {
    const { time, sent, api } = world(ok, { concurrency: 3 });
    await time.until(Promise.all(Array.from({ length: 9 }, () => api(URL))));
    expect(sent.map(({ at }) => at)).toEqual([0, 0, 0, 10, 10, 10, 20, 20, 20]);
  });

  test("refuses at once who would be one too many, and who came too late for a deadline", async () => {
    const { time, sent, api } = world(ok, { concurrency: 1, maxWaiting: 1 });
    const first = api(URL);
    const second = api(URL, { spillway: { wait: 5 } });
    await expect(time.until(api(URL))).rejects.toMatchObject({ code: "shed" });
    await expect(time.until(second)).rejects.toMatchObject({ code: "limited" });
    expect(time.elapsed()).toBe(5);
    await time.until(first);
    expect(sent.length).toBe(1);
  });

  test("is left by who gives up, without a trace", async () => {
    const { time, sent, api } = world(ok, { concurrency: 1 });
    const controller = new AbortController();
    const first = api(URL);
    const second = api(`${URL}2`, { signal: controller.signal });
    const third = api(`${URL}3`);
    controller.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    await time.until(Promise.all([first, third]));
    expect(sent.map(({ url }) => url)).toEqual([URL, `${URL}3`]);
  });

  test("sends ten at first, until there is an answer", async () => {
    const { time, sent, api } = world(ok);
    await time.until(Promise.all(Array.from({ length: 25 }, () => api(URL))));
    expect(sent.filter(({ at }) => at === 0).length).toBe(10);
    expect(sent.filter(({ at }) => at === 10).length).toBe(15);
  });
});

describe("a refusal", () => {
  test("is returned, not lost, where another one has said to wait for longer", async () => {
    const { time, sent, api } = world((number) => refused(number === 1 ? 3600 : 1));
    const [long, short] = await time.until(Promise.all([api(URL), api(`${URL}2`)]));
    expect([long?.status, await short?.text(), sent.length]).toEqual([429, "no", 2]);
    expect(decisionOf(short as Response)).toMatchObject({ ok: false, retryAfter: 3_600_000 });
  });

  test("holds everybody for its time, then one goes ahead", async () => {
    const { time, sent, api } = world((number) => (number === 1 ? refused(5) : ok()));
    const first = api(URL);
    await time.advance(20);
    const others = [api(`${URL}2`), api(`${URL}3`)];
    await time.until(Promise.all([first, ...others]));
    const [, again, second, third] = sent.map(({ at }) => at) as [number, number, number, number];
    expect(again).toBeGreaterThanOrEqual(10 + 5000);
    expect(again).toBeLessThanOrEqual(10 + 5500);
    expect([second, third]).toEqual([again + 10, again + 10]);
    expect(sent[1]?.url).toBe(URL);
  });

  test("by the older form alone, and by a server whose clock is an hour off, is obeyed", async () => {
    const { time, sent, api } = world((number) => {
      if (number > 1) return ok();
      const theirs = Date.UTC(2026, 0, 1, 1) / 1000;
      const headers = {
        Date: new Date(theirs * 1000).toUTCString(),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": String(theirs + 7),
      };
      return new Response("no", { status: 403, headers });
    });
    await time.until(api(URL));
    expect(sent[1]?.at).toBeGreaterThanOrEqual(7000);
    expect(sent[1]?.at).toBeLessThanOrEqual(7800);
  });
});

test("a server's clock that proves an hour off is a reason to forget when tokens come back", async () => {
  const AHEAD = Date.UTC(2026, 0, 1, 1) / 1000;
  const windowOf = (end: number, left: number) => ({
    "X-RateLimit-Remaining": `${left}`,
    "X-RateLimit-Reset": `${AHEAD + end}`,
  });
  const { time, sent, api } = world(
    (number) => {
      // No `Date`: only the second window shows that the first one is over, on a path without tokens.
      if (number > 1) return new Response("ok", { headers: windowOf(20, 10) });
      const tokens = {
        "anthropic-ratelimit-tokens-limit": "100",
        "anthropic-ratelimit-tokens-remaining": "10",
        "anthropic-ratelimit-tokens-reset": new Date((AHEAD + 10) * 1000).toISOString(),
      };
      return new Response("ok", { headers: { ...windowOf(10, 5), ...tokens } });
    },
    { wait: 7_200_000 },
  );
  await time.until(api(URL, { spillway: { count: 90 } }));
  await time.advance(11_000);
  await time.until(api(URL));
  await time.until(api(URL, { spillway: { count: 90 } }));
  expect(sent[2]?.at).toBeLessThan(12_000);
});

test("a wait holds, whatever else the server says of a time that is over", async () => {
  const over = { "RateLimit-Limit": "10", "RateLimit-Remaining": "5", "RateLimit-Reset": "0" };
  const answer = (count: number) =>
    count === 1
      ? new Response("ok", { headers: over })
      : new Response("no", { status: 429, headers: { ...over, "Retry-After": "60" } });
  const { time, sent, api } = world(answer, { wait: 59_000, concurrency: 2 });
  const all = Array.from({ length: 30 }, () => api(URL).catch(() => {}));
  await time.until(Promise.all(all));
  // Two at first, and one when the first was answered: then they were told to wait.
  expect(sent.length).toBeLessThanOrEqual(4);
});

describe("slowing down", () => {
  const left = (remaining: number, reset: number) => () =>
    new Response("ok", {
      headers: {
        "RateLimit-Limit": "100",
        "RateLimit-Remaining": String(remaining),
        "RateLimit-Reset": String(reset),
      },
    });

  test("begins where what is left would not last", async () => {
    let remaining = 20;
    let now = () => 0;
    const { time, sent, api } = world(() => left(--remaining, Math.ceil(60 - now() / 1000))());
    now = time.elapsed;
    await time.until(api(URL));
    const all = Array.from({ length: 40 }, () => api(URL).catch(() => {}));
    await time.until(Promise.all(all));
    // Some go at once, as long as what is left is plenty; then one every few seconds.
    const gaps = sent.map(({ at }, index) => at - (sent[index - 1]?.at ?? 0));
    expect(sent.length).toBeLessThan(20);
    expect(gaps.slice(0, 4)).toEqual([0, 10, 0, 0]);
    // At their deadline those who would be refused leave the rest to the last of them.
    expect(Math.min(...gaps.slice(12, -3))).toBeGreaterThan(2000);
  });

  test("does not while plenty is left, nor where it is not wanted", async () => {
    for (const [remaining, pacing] of [
      [90, true],
      [20, false],
    ] as const) {
      const { time, sent, api } = world(left(remaining, 60), { pacing });
      await time.until(api(URL));
      await time.until(Promise.all(Array.from({ length: 15 }, () => api(URL))));
      expect(sent.at(-1)?.at).toBe(10);
    }
  });
});

describe("a server that fails", () => {
  const failing = (until: number) => (number: number) =>
    number <= until ? new TypeError("fetch failed") : ok();

  test("is sent one probe a second, and then again everything", async () => {
    const { time, sent, events, api } = world(failing(8), { attempts: 1, concurrency: 1 });
    const all = Array.from({ length: 12 }, () => api(URL).catch(() => undefined));
    await time.until(Promise.all(all));
    const seconds = sent.map(({ at }) => Math.round(at / 1000));
    expect(seconds.slice(0, 9)).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4]);
    // Not all at once: nobody knows what the server stands.
    expect(seconds.at(-1)).toBeLessThanOrEqual(6);
    const changes = events.filter(({ type }) => type === "paused" || type === "resumed");
    expect(changes.map(({ type }) => type)).toEqual(["paused", "resumed"]);
  });

  test("while it is paused a short wait ends at once, as unavailable", async () => {
    const { time, sent, api } = world(failing(5), { attempts: 1 });
    for (let number = 0; number < 5; number++) await time.until(api(URL).catch(() => {}));
    const error = await time.until(api(URL, { spillway: { wait: 100 } }).catch((error) => error));
    expect(error).toMatchObject({ code: "unavailable", decision: { reason: "unavailable" } });
    expect(sent.length).toBe(5);
  });

  test.each([
    ["a third", 3, 0],
    ["nearly all", 10, 300],
  ])("%s of the time is asked so much less", async (_, every, least) => {
    const answer = (number: number) => {
      const isFailing = every === 3 ? number % 3 === 0 : number % every !== 0;
      return isFailing ? new Response("", { status: 500 }) : ok();
    };
    const { time, sent, api } = world(answer, { attempts: 1, breaker: { failures: 1000 } });
    let shed = 0;
    const count = (error: { readonly code: string }) => {
      if (error.code === "shed") shed++;
    };
    for (let number = 0; number < 400; number++) await time.until(api(URL).catch(count));
    expect(sent.length + shed).toBe(400);
    expect(shed).toBeGreaterThanOrEqual(least);
    if (least === 0) expect(shed).toBe(0);
    else expect(sent.length).toBeGreaterThan(12);
  });
});

describe("a limit of one's own", () => {
  const limits = {
    partner: { kind: "token bucket", rate: 60, period: "1m", capacity: 5 },
  } as const;

  test("of ten clients on one store is kept to the unit, and nothing is refused there", async () => {
    const time = new VirtualScheduler();
    const limiter = new RateLimiter(limits, { store: memoryStore({ clock: time.clock }) });
    const sent: number[] = [];
    const network = async (_url: string) => {
      sent.push(time.elapsed());
      return ok();
    };
    const clients = Array.from({ length: 10 }, (_, seed) =>
      limitedFetch(network, {
        limiter,
        limit: "partner",
        key: "our account",
        scheduler: time,
        clock: time.clock,
        random: seededRandom(seed + 1),
        wait: 60_000,
      }),
    );
    for (const api of clients) for (let number = 0; number < 10; number++) api(URL).catch(() => {});
    await time.advance(30_000);
    expect(sent.length).toBe(5 + 30);
    expect(sent.filter((at) => at < 1000).length).toBe(5);
  });

  test("that does not exist is refused by name", () => {
    const limiter = new RateLimiter(limits);
    expect(() => limitedFetch(fetch, { limiter })).toThrow("limit");
    expect(() => limitedFetch(fetch, { waits: 5 } as never)).toThrow("waits");
    expect(() => limitedFetch(fetch, { wait: -1 })).toThrow("wait");
    expect(() => limitedFetch(5 as never)).toThrow("fetch");
  });
});

/** A `Request` as `fetch` takes it. */
const account = (init: RequestInit) => new Request(URL, init);

/** A signal would be a reason by itself: each Request has one. */
function withoutSignal<T>(value: T): T {
  if (value instanceof Request) Object.defineProperty(value, "signal", { value: null });
  return value;
}

/** An empty object, over one without a prototype: all that it says is inherited. */
function inheriting(all: object): object {
  return Object.create(Object.assign(Object.create(null), all));
}

class Init {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  get headers() {
    return { Authorization: this.#name };
  }
}

describe("reads that are the same", () => {
  test("are not, where anything differs that an answer may depend on", async () => {
    const { time, sent, api } = world(ok, { join: true });
    const inits = [
      {},
      { headers: { "X-Auth-Token": "ada" } },
      { headers: new Headers({ "X-Auth-Token": "bob" }) },
      { headers: [["x-auth-token", "bob"]] as [string, string][] },
      { redirect: "manual" },
      { spillway: { wait: 5 } },
      { dispatcher: {} },
      { dispatcher: {} },
    ] as const;
    await time.until(Promise.all(inits.map((init) => api(URL, init as RequestInit))));
    // The two of Bob's are the same.
    expect(sent.length).toBe(inits.length - 1);
  });

  test.each<[string, (name: string) => readonly [unknown, RequestInit?]]>([
    ["headers of a Request", (name) => [account({ headers: { Authorization: name } })]],
    [
      "headers of a Request beside others",
      (name) => [account({ headers: { Authorization: name } }), { cache: "no-store" }],
    ],
    ["an `init` that is a Request", (name) => [URL, account({ headers: { Authorization: name } })]],
    ["an `init` of a class", (name) => [URL, new Init(name) as RequestInit]],
    [
      "headers of several values",
      (name) => [
        URL,
        {
          headers: [
            ["accept", name],
            ["accept", "*/*"],
          ],
        },
      ],
    ],
    [
      "options that are inherited",
      (name) => [URL, inheriting({ referrer: `http://${name}.example/` }) as RequestInit],
    ],
    [
      "headers that are inherited",
      (name) => [URL, { headers: inheriting({ Authorization: name }) as Record<string, string> }],
    ],
    ["an address that is an object", (name) => [{ name, toString: () => URL }]],
    ["a symbol in `init`", (name) => [URL, { [Symbol.for("user")]: name } as RequestInit]],
    ["a referrer of a Request", (name) => [account({ referrer: `http://${name}.example/` })]],
  ])("are not where they differ in %s", async (_, callOf) => {
    const { time, sent, api } = world(ok, { join: true });
    const fetch = api as (input: unknown, init?: RequestInit) => Promise<Response>;
    const call = (name: string) => {
      const [input, init] = callOf(name);
      return fetch(withoutSignal(input), init && withoutSignal(init));
    };
    await time.until(Promise.all(["ada", "bob"].map(call)));
    expect(sent.length).toBe(2);
  });

  test("are not where the values of a header come in another order", async () => {
    const { time, sent, api } = world(ok, { join: true });
    const inits = [
      ["a", "b"],
      ["b", "a"],
    ].map((values) => ({
      headers: values.map((value): [string, string] => ["accept", value]),
    }));
    await time.until(Promise.all(inits.map((init) => api(URL, init))));
    expect(sent.length).toBe(2);
  });

  test("are told alike when to come back", async () => {
    const { time, api } = world(() => refused(3600), { join: true });
    const all = await time.until(Promise.all([api(URL), api(URL)]));
    for (const response of all)
      expect(decisionOf(response)).toMatchObject({ retryAfter: 3_600_000 });
  });

  test("are one while they are under way, if that is wanted", async () => {
    const { time, sent, api } = world(ok, { join: true });
    const all = await time.until(Promise.all([api(URL), api(URL), api(`${URL}2`)]));
    expect(await Promise.all(all.map((response) => response.text()))).toEqual(["ok", "ok", "ok"]);
    expect(sent.length).toBe(2);
    await time.until(api(URL));
    const own = { headers: { Authorization: "somebody" } };
    await time.until(Promise.all([api(URL, own), api(URL), api(URL, { method: "POST" })]));
    expect(sent.length).toBe(2 + 1 + 3);
  });

  test("are over, and their units given back, when all who have one have read it or given it up", async () => {
    const limiter = new RateLimiter({ calls: { kind: "concurrency", capacity: 1, ttl: "1m" } });
    const own = { limiter, limit: "calls", key: "us" } as const;
    const { time, api } = world(ok, { join: true, ...own });
    const left = () => limiter.value("calls", { key: "us" }).remaining;
    await (await time.until(api(URL))).body?.cancel();
    expect(left()).toBe(1);
    const [one, other] = await time.until(Promise.all([api(URL), api(URL)]));
    expect(await one?.text()).toBe("ok");
    await other?.body?.cancel();
    expect(left()).toBe(1);
  });

  test("are given up one by one: nobody waits for the others", async () => {
    const { time, sent, api } = world(ok, { join: true });
    const all = await time.until(Promise.all([api(URL), api(URL), api(URL)]));
    await all[0]?.body?.cancel();
    await all[2]?.body?.cancel();
    expect([await all[1]?.text(), sent.length]).toEqual(["ok", 1]);
  });
});

describe("hosts that are remembered", () => {
  test("are one for all requests, though a retry has waited meanwhile", async () => {
    let underWay = 0;
    let most = 0;
    const { time, api } = world(
      async (_, url) => {
        if (!url.startsWith("http://busy")) return ok();
        most = Math.max(most, ++underWay);
        await new Promise<void>((resolve) => time.alarm(1000, resolve));
        underWay--;
        return new Response("", { status: 500 });
      },
      { maxHosts: 1, concurrency: 1, attempts: 2, backoff: { first: 100, most: 100 } },
    );
    const first = api("http://busy.example/");
    await time.advance(1010);
    await time.until(api("http://other.example/"));
    const second = api("http://busy.example/");
    await time.until(Promise.all([first, second]));
    expect(most).toBe(1);
  });

  test("are forgotten by last use, but for those that have said to wait", async () => {
    const { time, sent, api } = world(
      (_, url) => (url.startsWith("http://refusing") ? refused(60) : ok()),
      { maxHosts: 5, wait: 1000 },
    );
    await time.until(api("http://refusing.example/"));
    for (let host = 0; host < 200; host++) await time.until(api(`http://host-${host}.example/`));
    await expect(time.until(api("http://refusing.example/"))).rejects.toMatchObject({
      code: "limited",
    });
    expect(sent.filter(({ url }) => url.startsWith("http://refusing")).length).toBe(1);
  });

  test("are remembered for having been used, and not for having been met", async () => {
    const { time, sent, api } = world(ok, { maxHosts: 2 });
    for (const host of ["one", "two", "one", "three"])
      await time.until(api(`http://${host}.example/`));
    const before = sent.length;
    const all = Array.from({ length: 15 }, () => api("http://one.example/"));
    await time.advance(0);
    // One that is not known would be sent ten, until it has answered.
    expect(sent.length - before).toBe(15);
    await time.until(Promise.all(all));
  });

  test("are forgotten, where all have said to wait, in the order in which that is over", async () => {
    const waits = [50, 10, 40, 20, 30];
    const { time, sent, api } = world((_, url) => refused(Number(/\d+/.exec(url)?.[0])), {
      maxHosts: 5,
      wait: 100,
    });
    for (const wait of waits) await time.until(api(`http://host-${wait}.example/`));
    await time.until(api("http://host-60.example/"));
    const before = sent.length;
    // The shortest was forgotten, so that it is asked again; no other is.
    for (const wait of [50, 40, 20, 30]) {
      await expect(time.until(api(`http://host-${wait}.example/`))).rejects.toThrow();
    }
    expect(sent.length).toBe(before);
    await time.until(api("http://host-10.example/"));
    expect(sent.length).toBe(before + 1);
  });
});
