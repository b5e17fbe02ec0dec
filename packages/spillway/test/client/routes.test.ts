/** Which requests are one route, and when it is a route that fails and not its host. */
import { describe, expect, test } from "vitest";
import { type ClientEvent, limitedFetch } from "../../src/client/index.ts";
import { readRequest } from "../../src/client/requests/request.ts";
import { routeOf } from "../../src/client/routes/route-of.ts";
import { Suspicion } from "../../src/client/routes/suspicion.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const HOST = "http://api.example";

test.for([
  ["/users/17/items?page=2", "GET /users/{}/items"],
  ["/v1/chat/completions", "GET /v1/chat/completions"],
  ["/v1/files/file-a1b2c3#top", "GET /v1/files/{}"],
  ["/repos/someone/a-name-that-is-longer-than-names-are", "GET /repos/someone/{}"],
  ["", "GET /"],
  ["/", "GET /"],
  ["/a/b/c/d/e/f/g/h/i/j", "GET /a/b/c/d/e/f/g/h"],
])("%s is %s", ([path, route]) => {
  expect(routeOf(readRequest(HOST + path))).toBe(route);
  const post = routeOf(readRequest(HOST + path, { method: "POST" }));
  expect(post).toBe((route as string).replace("GET", "POST"));
});

describe("a route is found out", () => {
  const failing = { route: "bad", at: 1, isRefusal: false, part: 0.5 };

  test("by two failures in a row, while three others are served", () => {
    const suspicion = new Suspicion();
    expect(suspicion.notServed(failing)).toBe(false);
    for (let served = 0; served < 2; served++) suspicion.served("good", 2);
    expect(suspicion.notServed(failing)).toBe(false);
    suspicion.served("good", 2);
    expect(suspicion.notServed(failing)).toBe(true);
  });

  test("not by what was served before, nor by what it was served itself", () => {
    const suspicion = new Suspicion();
    expect(suspicion.notServed(failing)).toBe(false);
    for (let served = 0; served < 9; served++) {
      suspicion.served("good", 0);
      suspicion.served("bad", 2);
    }
    expect(suspicion.notServed(failing)).toBe(false);
  });

  test("by refusals only where it is unlikely that those of a host hit it alone", () => {
    const refusals = (isKnown: boolean) => {
      const suspicion = new Suspicion();
      if (isKnown) suspicion.notServed({ ...failing, route: "other", isRefusal: true });
      let count = 0;
      do {
        for (let served = 0; served < 3; served++) suspicion.served("good", 2);
        count++;
      } while (!suspicion.notServed({ ...failing, isRefusal: true }));
      return count;
    };
    expect(refusals(false)).toBe(7);
    // Where others were refused before, so many refusals come in a row now and then.
    expect(refusals(true)).toBe(17);
  });

  test("never where nothing else is asked", () => {
    const suspicion = new Suspicion();
    for (let count = 0; count < 100; count++)
      expect(suspicion.notServed({ ...failing, part: 1 })).toBe(false);
  });
});

test("a route that fails is named by what happens to it, and held back alone", async () => {
  const time = new VirtualScheduler();
  const events: ClientEvent[] = [];
  const network = async (url: string) => {
    await time.sleep(10);
    return new Response("", { status: url.includes("/bad/") ? 500 : 200 });
  };
  const onEvent = (event: ClientEvent) => void events.push(event);
  const { clock } = time;
  const random = seededRandom(1);
  const api = limitedFetch(network, { scheduler: time, clock, random, onEvent, attempts: 1 });
  const good: number[] = [];
  for (let count = 0; count < 100; count++) {
    void api(`${HOST}/bad/${count}`).catch(() => {});
    void api(`${HOST}/good/${count}`).then(({ status }) => good.push(status));
    await time.advance(20);
  }
  expect(good).toEqual(Array(100).fill(200));
  const paused = events.filter(({ type }) => type === "paused").map(({ host }) => host);
  expect(paused).toEqual([`${HOST} GET /bad/{}`]);
});

/** A host of many routes, which is down from an instant on; how many requests it was sent then, of a thousand. */
async function sentWhileDown(routes: number) {
  const time = new VirtualScheduler();
  let isDown = false;
  let sent = 0;
  const network = async (_url: string) => {
    if (isDown) sent++;
    await time.sleep(10);
    return new Response("", { status: isDown ? 500 : 200 });
  };
  const { clock } = time;
  const random = seededRandom(1);
  const api = limitedFetch(network, { scheduler: time, clock, random, attempts: 1 });
  for (let count = 0; count < 1500; count++) {
    isDown = count >= 500;
    const name = "abcdefghijklmnopqrst"[count % routes];
    void api(`${HOST}/${name}`).catch(() => {});
    await time.advance(20);
  }
  return sent;
}

test.each([1, 9, 20])(
  "a host of %i routes that is down is sent hardly anything",
  async (routes) => {
    expect(await sentWhileDown(routes)).toBeLessThan(40);
  },
);

test("hosts that redirect to each other do not wait for each other", async () => {
  const time = new VirtualScheduler();
  const targets = new Map([
    ["http://a/x", "http://b/end"],
    ["http://b/y", "http://a/end"],
  ]);
  const network = async (url: string) => {
    await time.sleep(10);
    const target = targets.get(url) ?? url;
    return Object.defineProperty(new Response(""), "url", { value: target });
  };
  const { clock } = time;
  const random = seededRandom(1);
  const api = limitedFetch(network, { scheduler: time, clock, random, concurrency: 1 });
  let served = 0;
  for (let count = 0; count < 50; count++) {
    for (const url of targets.keys()) void api(url).then(() => served++);
    await time.advance(100);
  }
  expect(served).toBe(100);
});

test("a route that is held stays so, however many others are asked meanwhile", async () => {
  const time = new VirtualScheduler();
  let sent = 0;
  const network = async (url: string) => {
    await time.sleep(10);
    if (!url.includes("/bad")) return new Response("");
    sent++;
    return new Response("", { status: 500 });
  };
  const { clock } = time;
  const options = { scheduler: time, clock, random: seededRandom(1), attempts: 1, wait: 100 };
  const api = limitedFetch(network, { ...options, breaker: { failures: 3, pause: 3_600_000 } });
  const ask = async (path: string) => {
    void api(HOST + path).catch(() => {});
    await time.advance(20);
  };
  for (let count = 0; count < 30; count++) {
    await ask("/bad");
    await ask("/good");
  }
  const before = sent;
  const letters = [..."abcdefghijklmnopqrst"];
  for (const one of letters) for (const other of letters) await ask(`/${one}/${other}`);
  for (let count = 0; count < 5; count++) await ask("/bad");
  expect(sent).toBe(before);
});

test("what has passed its host, and waits for where that redirects, obeys it all the same", async () => {
  const time = new VirtualScheduler();
  const files = "http://files.example";
  const sent: number[] = [];
  let isFull = false;
  const network = async (url: string) => {
    const at = time.elapsed();
    await time.sleep(10);
    if (url.endsWith("/other"))
      return new Response("", { status: 429, headers: { "Retry-After": "60" } });
    sent.push(at);
    const headers = isFull ? { "Retry-After": "20" } : new Headers();
    const answer = new Response("", { status: isFull ? 429 : 200, headers });
    return Object.defineProperty(answer, "url", { value: `${files}/file` });
  };
  const { clock } = time;
  const options = { scheduler: time, clock, random: () => 0, attempts: 1, wait: 600_000 };
  const api = limitedFetch(network, options);
  for (let count = 0; count < 4; count++) await time.until(api(`${HOST}/file`));
  isFull = true;
  await time.until(api(`${HOST}/file`));
  isFull = false;
  const waiting = api(`${HOST}/file`);
  await time.advance(1000);
  await time.until(api(`${HOST}/other`));
  const from = time.elapsed();
  await time.until(waiting);
  expect((sent.at(-1) as number) - from).toBeGreaterThanOrEqual(60_000);
});
