/** Servers that lie and fail, clocks that jump: a client's waits are bounded, and nothing goes twice that must not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decisionOf,
  type LimitedFetchOptions,
  limitedFetch,
  readAdvice,
} from "../../src/client/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const URL = "http://api.example/";
const HOUR = 3_600_000;

const number = fc.constantFrom("99999999999", "-5", "NaN", "0", "1", "2", "30", "1e3", "∞", "");
const lies = fc.record(
  {
    "Retry-After": fc.oneof(number, fc.constant("Sun, 06 Nov 1994 08:49:37 GMT")),
    "retry-after-ms": number,
    Date: fc.constantFrom("Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 2099 00:00:00 GMT", "no"),
    RateLimit: fc.constantFrom('"a";t=5', '"a";r=0', '"a";r=-1;t=-1', '"a";r=0;t=99999999999'),
    "X-RateLimit-Remaining": number,
    "X-RateLimit-Reset": number,
    "Content-Type": fc.constantFrom("application/problem+json", "text/html"),
  },
  { requiredKeys: [] },
);
const answer = fc.record({
  status: fc.constantFrom(200, 200, 403, 408, 429, 429, 500, 502, 503, 0),
  headers: lies,
  takes: fc.integer({ min: 0, max: 300 }),
});
const asked = fc.record({
  method: fc.constantFrom("GET", "PUT", "POST", "PATCH"),
  at: fc.integer({ min: 0, max: 5000 }),
});

test("whatever a server answers, every request ends in time, and is sent no more often than it may", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 1, maxLength: 12 }),
      fc.array(asked, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(0, 100, 3000),
      fc.integer(),
      async (answers, list, wait, seed) => {
        const time = new VirtualScheduler();
        const random = seededRandom(seed);
        const sent = new Map<string, number>();
        let count = 0;
        const network = async (url: string, _init?: RequestInit) => {
          sent.set(url, (sent.get(url) ?? 0) + 1);
          const { status, headers, takes } = answers[count++ % answers.length] as never as {
            status: number;
            headers: Record<string, string>;
            takes: number;
          };
          await time.sleep(takes);
          if (status === 0) throw new TypeError("fetch failed");
          const ascii = Object.entries(headers).filter(([, value]) => value !== "∞");
          return new Response("{}", { status, headers: ascii });
        };
        const jumping = () => time.clock() + Math.floor((random() * 2 - 1) * HOUR);
        const api = limitedFetch(network, {
          ...{ scheduler: time, clock: jumping, random, wait, attempts: 3 },
        });
        const ends: number[] = [];
        const all = list.map(async ({ method, at }, index) => {
          await time.sleep(at);
          await api(`${URL}${method}/${index}`, { method }).catch(() => {});
          ends.push(time.elapsed() - at);
        });
        await time.until(Promise.all(all));
        // It may begin its last attempt at its deadline; then it takes as long as the server does.
        expect(Math.max(...ends)).toBeLessThanOrEqual(wait + 3 * 300 + 1);
        for (const [url, times] of sent)
          expect(times).toBeLessThanOrEqual(/GET|PUT/.test(url) ? 3 : 1);
      },
    ),
    { numRuns: runs(60) },
  );
});

describe("the longest hold", () => {
  const YEARS = "99999999999";
  const said: Record<string, { status: number; headers: Record<string, string> }> = {
    "of a refusal": { status: 429, headers: { "Retry-After": YEARS } },
    "of a failure": { status: 503, headers: { "Retry-After": YEARS } },
    "until there is more, of an answer": {
      status: 200,
      headers: { RateLimit: `"a";r=0;t=${YEARS}` },
    },
    "until there is more, after one": {
      status: 200,
      headers: { RateLimit: `"a";r=1;t=${YEARS}`, "RateLimit-Policy": `"a";q=1;w=${YEARS}` },
    },
  };

  /** A client that asks once a minute for a time, and at which times that is sent. */
  function world(answer: () => Response | Error, options: LimitedFetchOptions = {}) {
    const time = new VirtualScheduler();
    const sent: number[] = [];
    const network = async (_url: string) => {
      sent.push(time.elapsed());
      const answered = answer();
      if (answered instanceof Error) throw answered;
      return answered;
    };
    const random = seededRandom(3);
    const clients = { scheduler: time, clock: time.clock, random, wait: 0, ...options };
    const api = limitedFetch(network, clients);
    const asking = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await time.until(api(URL).catch((error) => error));
        await time.advance(60_000);
      }
      return sent.splice(0);
    };
    return { time, api, sent, asking };
  }

  test.each(Object.entries(said))(
    "%s holds for as long as it may, until one asks again",
    async (_, lie) => {
      let answer = () => new Response("", lie);
      const { asking } = world(() => answer(), { maxHold: 2 * HOUR });
      const times = await asking(360);
      // `r=1` says that one is left.
      expect(times.filter((at) => at >= 60_000)).toEqual([2 * HOUR, 4 * HOUR]);
      answer = () => new Response("fine");
      // The probe of the sixth hour, and all that is wanted after its answer.
      expect(await asking(10)).toHaveLength(10);
      expect(await asking(10)).toHaveLength(10);
    },
  );

  test("ends where what asks again is answered, and not where there is no answer", async () => {
    const answers = [
      () => new Response("", { status: 429, headers: { "Retry-After": YEARS } }),
      () => new TypeError("fetch failed"),
      () => new Response("fine"),
    ];
    const { asking } = world(
      () => (answers.length > 1 ? answers.shift() : answers[0])?.() as Error,
      {
        maxHold: HOUR,
      },
    );
    const times = await asking(123);
    expect(times).toEqual([0, HOUR, 2 * HOUR, 2 * HOUR + 60_000, 2 * HOUR + 120_000]);
  });

  test("holds nobody else than its host, and no longer than is wanted", async () => {
    const { time, api, sent } = world(() => new Response("", said["of a refusal"]), {
      maxHold: 1000,
      wait: 5000,
    });
    await time.until(api(URL));
    const late = await time.until(api(URL));
    expect([late.status, sent]).toEqual([429, [0, 1000]]);
    expect(decisionOf(late)).toMatchObject({ retryAfter: 1000, resetAfter: 366 * 24 * HOUR });
  });

  test("is a day, unless something else is said: a quota of a day is kept to", async () => {
    const { time, api, sent } = world(() => new Response("", { ...said["of a refusal"] }));
    await time.until(api(URL));
    await time.advance(24 * HOUR - 1);
    await time.until(api(URL).catch((error) => error));
    expect(sent).toEqual([0]);
    await time.advance(1);
    await time.until(api(URL));
    expect(sent).toEqual([0, 24 * HOUR]);
  });

  test("is said to who is not sent: when one asks again, and when all is over", async () => {
    const { time, api } = world(() => new Response("", said["of a refusal"]));
    await time.until(api(URL));
    const error = await api(URL).catch((error) => error);
    expect(error.decision.retryAfter).toBe(24 * HOUR);
    expect(error.decision.resetAfter).toBe(366 * 24 * HOUR);
  });
});

describe("a server", () => {
  const world = (answer: (url: string) => Response, wait = 60_000) => {
    const time = new VirtualScheduler();
    const sent: number[] = [];
    const network = async (url: string, _init?: RequestInit) => {
      sent.push(time.elapsed());
      await time.sleep(5);
      return answer(url);
    };
    const random = seededRandom(7);
    return { time, sent, api: limitedFetch(network, { scheduler: time, random, wait }) };
  };

  test("that always says 429, and no more, is asked ever more rarely, by all requests together", async () => {
    const { time, sent, api } = world(() => new Response("no", { status: 429 }));
    const all = Array.from({ length: 300 }, () => api(URL).catch(() => {}));
    await time.until(Promise.all(all));
    // Each was wanted once; the budget allows 0.2 and a few more for each.
    expect(sent.length).toBeLessThanOrEqual(300 + 0.2 * 300 + 10);
    const later = sent.filter((at) => at > 30_000).length;
    expect(later).toBeLessThan(sent.length / 2);
  });

  test("that does not keep up for a minute is sent as much as before when it does again", async () => {
    const isAway = (at: number) => at >= 30_000 && at < 90_000;
    const { time, sent, api } = world(() => {
      return new Response("", { status: isAway(time.elapsed()) ? 503 : 200 });
    }, 5000);
    const wanted = 120_000 / 50;
    for (let request = 0; request < wanted; request++)
      time.alarm(request * 50, () => void api(URL).catch(() => {}));
    await time.advance(120_000);
    const between = (from: number, to: number) => sent.filter((at) => at >= from && at < to).length;
    // A probe a second, and then all: probes that fail say nothing of a rate.
    expect(between(32_000, 90_000)).toBeLessThanOrEqual(58);
    expect(between(100_000, 120_000)).toBeGreaterThanOrEqual(0.9 * 400);
  });

  test("that says a second, for ever, is asked once a second", async () => {
    const headers = { "Retry-After": "1" };
    const { time, sent, api } = world(() => new Response("no", { status: 429, headers }));
    for (let request = 0; request < 20; request++) api(URL).catch(() => {});
    await time.advance(20_000);
    const gaps = sent.map((at, index) => at - (sent[index - 1] ?? at - 1000));
    // Ten at first contact, before anything was known.
    expect(Math.min(...gaps.slice(10))).toBeGreaterThanOrEqual(1000);
  });

  test("that says only when, and not what is left, says no quota", () => {
    const headers = new Headers({ RateLimit: '"a";t=5' });
    expect(readAdvice(headers, 0)).toEqual({ retryAfter: undefined, quotas: [] });
  });

  test("that refuses and says to come back at once is asked again after back-offs", async () => {
    const headers = { "Retry-After": "0" };
    const time = new VirtualScheduler();
    const sent: number[] = [];
    const network = async (_url: string) => {
      sent.push(time.elapsed());
      return new Response("no", { status: 429, headers });
    };
    const api = limitedFetch(network, { scheduler: time, random: () => 0.5, pacing: false });
    await time.until(api(URL));
    // Halves of 500, 1000 and 2000.
    expect(sent).toEqual([0, 250, 750, 1750]);
  });

  test("that asks to come back in the past is asked again after a back-off, and not for ever", async () => {
    const headers = { "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT" };
    const { time, sent, api } = world(() => new Response("no", { status: 429, headers }));
    const response = await time.until(api(URL));
    expect([response.status, sent.length]).toEqual([429, 4]);
    expect(decisionOf(response)).toMatchObject({ ok: false, reason: "limited" });
  });
});
