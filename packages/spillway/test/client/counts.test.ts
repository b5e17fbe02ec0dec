/** Requests that say what they use: who waits for what, and that answers stay what they are. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ClientEvent,
  type LimitedFetchOptions,
  limitedFetch,
  llmTokens,
} from "../../src/client/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const URL = "http://api.example/";
const JSON_TYPE = { "content-type": "application/json" };

/** What is left of a window of tokens, which ends at `end`. */
const left = (remaining: number, resetSeconds: number, unit = "tokens") => ({
  ...JSON_TYPE,
  [`x-ratelimit-limit-${unit}`]: "1000",
  [`x-ratelimit-remaining-${unit}`]: String(remaining),
  [`x-ratelimit-reset-${unit}`]: `${resetSeconds}s`,
});

function world(answer: () => Response, options: LimitedFetchOptions = {}) {
  const time = new VirtualScheduler();
  const events: ClientEvent[] = [];
  const sent: number[] = [];
  const network = async () => {
    sent.push(time.elapsed());
    return answer();
  };
  const onEvent = (event: ClientEvent) => void events.push(event);
  const settings = { scheduler: time, clock: time.clock, random: seededRandom(1), onEvent };
  const api = limitedFetch(network as typeof fetch, { ...settings, ...options });
  return { time, events, sent, api };
}

const body = JSON.stringify({ max_tokens: 300, messages: [{ content: "x".repeat(400) }] });
const post = (spillway?: object) => ({ method: "POST", body, ...(spillway && { spillway }) });

test.each([
  ["a number of the client", { count: 400 }, undefined],
  ["numbers by unit", { count: { requests: 1, tokens: 400 } }, undefined],
  ["a function", { count: () => 400 }, undefined],
  ["an estimate by the body", { count: llmTokens }, undefined],
  ["a number of the request", {}, { count: 400 }],
])("too few tokens are waited for, by %s", async (_, options, call) => {
  const { time, sent, api } = world(() => new Response("{}", { headers: left(100, 5) }), options);
  await time.until(api(URL, post(call) as RequestInit));
  await time.until(api(URL, post(call) as RequestInit));
  expect(sent[1]).toBeGreaterThanOrEqual(5000);
});

test.each([
  ["nothing is counted", {}],
  ["it is counted as nothing", { count: 0 }],
  ["nothing is to slow down", { count: 400, pacing: false }],
])("they are not where %s", async (_, options) => {
  const { time, sent, api } = world(() => new Response("{}", { headers: left(100, 5) }), options);
  await time.until(api(URL, post()));
  await time.until(api(URL, post()));
  expect(sent[1]).toBeLessThan(100);
});

test.each(["input-tokens", "output-tokens"])("%s are counted apart", async (unit) => {
  const answer = () => new Response("{}", { headers: left(100, 5, unit) });
  for (const [count, waits] of [
    [{ tokens: 400 }, true],
    [{ tokens: 400, [unit]: 50 }, false],
  ] as const) {
    const { time, sent, api } = world(answer, { count });
    await time.until(api(URL, post()));
    await time.until(api(URL, post()));
    expect((sent[1] as number) >= 5000).toBe(waits);
  }
});

test("one that uses more than there ever is is sent all the same, when all of it is there", async () => {
  const { time, sent, api } = world(() => new Response("{}", { headers: left(100, 5) }), {
    count: 1_000_000,
  });
  await time.until(api(URL, post()));
  await time.until(api(URL, post()));
  expect(sent[1]).toBeLessThan(6000);
});

test("events say for what a request waits, and how long it did", async () => {
  const { time, events, api } = world(() => new Response("{}", { headers: left(100, 5) }), {
    count: 400,
  });
  await time.until(api(URL, post()));
  await time.until(api(URL, post()));
  const why = { host: "http://api.example", cause: "quota", unit: "tokens", limit: "tokens" };
  expect(events).toMatchObject([
    { type: "waiting", ...why },
    { type: "waited", ...why },
  ]);
  const [waiting, waited] = events as unknown as [{ wait: number }, { waited: number }];
  expect(Math.abs(waited.waited - waiting.wait)).toBeLessThanOrEqual(1);
});

test.each([
  ["said", () => new Response("", { status: 429, headers: { "Retry-After": "3" } }), {}],
  ["failing", () => new Response("", { status: 500 }), { breaker: { failures: 1 } }],
] as const)("they say so of what is %s", async (cause, answer, options) => {
  const { time, events, api } = world(answer, { attempts: 1, ...options });
  await time.until(api(URL));
  void api(URL);
  await time.advance(0);
  const unit = undefined;
  const host = "http://api.example";
  const waiting = events.filter(({ type }) => type === "waiting");
  expect(waiting).toMatchObject([{ host, cause, unit, limit: undefined }]);
});

test("they name requests, and the quota's own name", async () => {
  const headers = { "RateLimit-Policy": '"burst";q=5;w=60', RateLimit: '"burst";r=0;t=60' };
  const { time, events, api } = world(() => new Response("", { headers }), { wait: 300_000 });
  await time.until(api(URL));
  await time.until(api(URL));
  const why = { cause: "quota", unit: "requests", limit: "burst" };
  expect(events).toMatchObject([
    { type: "waiting", ...why },
    { type: "waited", ...why },
  ]);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "9", { tokens: -1 }, null, 1e10])(
  "%j is no count",
  async (count) => {
    const wrong = { count } as never;
    expect(() => limitedFetch(fetch, wrong)).toThrow(
      expect.objectContaining({ code: "bad-option" }),
    );
    const { api } = world(() => new Response());
    const isWrong = { code: "bad-option" };
    await expect(api(URL, post(wrong) as RequestInit)).rejects.toMatchObject(isWrong);
    const { api: other } = world(() => new Response(), { count: (() => count) as never });
    await expect(other(URL)).rejects.toMatchObject(isWrong);
  },
);

test("a count that is promised is none", async () => {
  const { api } = world(() => new Response(), { count: (async () => 9) as never });
  await expect(api(URL)).rejects.toMatchObject({ code: "bad-option" });
});

test("what is used in the end is counted, also at the end of a stream", async () => {
  for (const isStream of [false, true]) {
    const usage = JSON.stringify({ usage: { total_tokens: 1040 } });
    const headers = { ...left(950, 60), ...(isStream && { "content-type": "text/event-stream" }) };
    const text = isStream ? `data: ${usage}\n\n` : usage;
    const { time, sent, api } = world(() => new Response(text, { headers }), {
      count: 100,
      wait: 300_000,
    });
    await (await time.until(api(URL, post()))).text();
    await time.until(api(URL, post()));
    expect(sent[1]).toBeGreaterThanOrEqual(59_000);
  }
});

test("of a body, every byte comes as it was, whatever it is cut into", async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1 }), { maxLength: 20 });
  const type = fc.constantFrom("application/json", "text/event-stream", "image/png", undefined);
  const law = fc.asyncProperty(chunks, type, async (chunks, type) => {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    const headers = { ...left(900, 60), "content-type": type ?? "" };
    const { api } = world(() => new Response(stream, { headers, status: 201 }), { count: 5 });
    const response = await api(URL, post());
    expect(response.status).toBe(201);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat(chunks));
  });
  await fc.assert(law);
});

test("nothing of a body is read before it is wanted, and its end and error are those of the server", async () => {
  const pulled: string[] = [];
  const stream = () =>
    new ReadableStream(
      {
        pull: (controller) => {
          pulled.push("pull");
          if (pulled.length > 1) controller.error(new Error("reset"));
          else controller.enqueue(new Uint8Array([123]));
        },
        cancel: (reason) => void pulled.push(String(reason)),
      },
      { highWaterMark: 0 },
    );
  const { api } = world(() => new Response(stream(), { headers: left(900, 60) }), { count: 5 });
  const read = await api(URL, post());
  expect(pulled).toEqual([]);
  await expect(read.text()).rejects.toThrow("reset");
  pulled.length = 0;
  const cancelled = await api(URL, post());
  await cancelled.body?.cancel("enough");
  expect(pulled).toEqual(["enough"]);
});

test("a body that nobody can read any more is cancelled", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
  };
  const answer = () => new Response(new ReadableStream({ cancel }), { headers: left(900, 60) });
  const { api } = world(answer, { count: 5 });
  const ask = async () => void (await api(URL, post()));
  await ask();
  while (!isCancelled) {
    collect();
    await setImmediate();
  }
});

test("a refusal for tokens teaches no rate of requests", async () => {
  let isRefused = true;
  const answer = () =>
    isRefused
      ? new Response("", { status: 429, headers: { ...left(50, 1), "Retry-After": "1" } })
      : new Response("{}", { headers: left(1000, 1) });
  const { time, sent, api } = world(answer, { count: 100, attempts: 1 });
  for (let refused = 0; refused < 4; refused++) await time.until(api(URL, post()));
  isRefused = false;
  await time.until(api(URL, post({ count: 1 }) as RequestInit));
  const first = sent.length;
  const all = Array.from({ length: 30 }, () => api(URL, post({ count: 1 }) as RequestInit));
  await time.until(Promise.all(all));
  expect((sent.at(-1) as number) - (sent[first] as number)).toBeLessThan(1000);
});

test("whatever a server says is left, every request ends in time, and nothing is kept", async () => {
  const number = fc.oneof(fc.nat(2000), fc.constantFrom(0, 1, 1e15, -1, Number.NaN));
  const says = fc.record({
    unit: fc.constantFrom("tokens", "input-tokens", "output-tokens", "requests"),
    limit: fc.option(number, { nil: undefined }),
    remaining: number,
    reset: fc.option(fc.nat(100_000), { nil: undefined }),
    takes: fc.nat(3000),
    status: fc.constantFrom(200, 200, 200, 429),
    used: number,
  });
  const answers = fc.array(says, { minLength: 1, maxLength: 8 });
  const wishes = fc.array(
    fc.record({ at: fc.nat(20_000), count: fc.nat(3000), wait: fc.nat(60_000) }),
    { minLength: 1, maxLength: 25 },
  );
  const law = fc.asyncProperty(answers, wishes, async (answers, wishes) => {
    const time = new VirtualScheduler();
    let count = 0;
    const network = async () => {
      const { unit, limit, remaining, reset, takes, status, used } = answers[
        count++ % answers.length
      ] as (typeof answers)[number];
      const headers = new Headers(JSON_TYPE);
      headers.set(`x-ratelimit-remaining-${unit}`, String(remaining));
      if (limit !== undefined) headers.set(`x-ratelimit-limit-${unit}`, String(limit));
      if (reset !== undefined) headers.set(`x-ratelimit-reset-${unit}`, `${reset}ms`);
      await time.sleep(takes);
      return new Response(JSON.stringify({ usage: { total_tokens: used } }), { status, headers });
    };
    const settings = { scheduler: time, clock: time.clock, random: seededRandom(3), attempts: 1 };
    const api = limitedFetch(network as typeof fetch, settings);
    const all = wishes.map(async ({ at, count, wait }) => {
      await time.sleep(at);
      const answer = await api(URL, post({ count, wait }) as RequestInit).catch(() => undefined);
      await answer?.text();
      return time.elapsed() - at - wait;
    });
    const late = await time.until(Promise.all(all));
    expect(Math.max(...late)).toBeLessThanOrEqual(3000 + 2);
    await time.advance(0);
    expect(time.waiting).toBe(0);
  });
  await fc.assert(law, { numRuns: 200 });
});
