/** Servers that lie and fail, clocks that jump: a client's waits are bounded, and nothing goes twice that must not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decisionOf, limitedFetch, readAdvice } from "../../src/client/index.ts";
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

  test("that asks to come back in the past is asked again after a back-off, and not for ever", async () => {
    const headers = { "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT" };
    const { time, sent, api } = world(() => new Response("no", { status: 429, headers }));
    const response = await time.until(api(URL));
    expect([response.status, sent.length]).toEqual([429, 4]);
    expect(decisionOf(response)).toMatchObject({ ok: false, reason: "limited" });
  });
});
