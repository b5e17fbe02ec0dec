/** What a client must not unlearn: by requests that are broken off, by noise, by refusals that come together. */
import { expect, test } from "vitest";
import { HostPacer } from "../../src/client/pace/host-pacer.ts";
import { LearnedRate } from "../../src/client/pace/learned-rate.ts";
import type { RequestStart } from "../../src/client/pace/request-starts.ts";
import { live, type Server } from "./world.ts";

const SECOND = 1000;
const LESSON = { paced: Number.POSITIVE_INFINITY, wait: 0, share: 0 };

/** Requests at a rate, each served before the next is sent; returns the instant after them. */
function serve(
  pace: { begin(now: number): RequestStart; served(start: RequestStart): void },
  from: number,
) {
  let now = from;
  for (let sent = 0; sent < 600; sent++, now += 10) pace.served(pace.begin(now));
  return now;
}

const OUTAGE = { from: 30 * SECOND, to: 33 * SECOND };
const away: Server = ({ at }) => ({ status: at >= OUTAGE.from && at < OUTAGE.to ? 0 : 200 });

/** Requests that a client sends in the ten seconds after an outage, of 1000 that are wanted. */
async function sentAfter(
  first: (time: { alarm(ms: number, call: () => void): void }) => RequestInit,
) {
  let calls = 0;
  const { seen } = await live({
    server: (request) =>
      request.url.pathname === "/first" ? { status: 200, takes: 1e9 } : away(request),
    wanted: 100,
    lasting: OUTAGE.to + 11 * SECOND,
    seed: 1,
    wish: (_random, time) =>
      calls++ === 0 ? { url: "http://api.example/first", init: first(time as never) } : {},
  });
  return seen.filter(({ at }) => at >= OUTAGE.to + SECOND).length;
}

test("a request that was broken off holds up nothing that is learnt after it", async () => {
  const sent = await sentAfter((time) => {
    const gone = new AbortController();
    time.alarm(100, () => gone.abort());
    return { signal: gone.signal };
  });
  expect(sent).toBeGreaterThan(900);
});

test("nor does one that is not answered for as long as it lives", async () => {
  expect(await sentAfter(() => ({}))).toBeGreaterThan(900);
});

test("a rate that has been resumed after an outage is not lost by one refusal", () => {
  const learned = new LearnedRate(0);
  const before = serve(learned, 0);
  const proven = learned.proven(before, learned.begin(before));
  expect(proven.rate * SECOND).toBeGreaterThan(90);
  learned.resume(proven);
  const now = before + 3 * SECOND;
  learned.refused(now, learned.begin(now), LESSON);
  expect(learned.rate * SECOND).toBeGreaterThan(50);
});

test("noise that is found out takes back nothing that refusals with a word have taught", () => {
  const pace = new HostPacer(0);
  let now = serve(pace, 0);
  let isTried = false;
  for (let sent = 0; sent < 200; sent++, now += 10) {
    const start = pace.begin(now);
    if (sent % 5 === 0) pace.refusedBarely(now, start, LESSON);
    else pace.served(start);
    // It is tried whether that is a limit; meanwhile the server names one.
    if (!isTried && pace.speed(now, 0).rate < Number.POSITIVE_INFINITY) {
      isTried = true;
      for (const wait of [50, 50]) pace.refused(now, pace.begin(++now), { ...LESSON, wait });
    }
  }
  expect(isTried).toBe(true);
  expect(pace.speed(now, 0).rate).toBeLessThan(Number.POSITIVE_INFINITY);
});

test("after a hold as many are sent as were under way when it began", async () => {
  const burst: number[] = [];
  let sent = 0;
  await live({
    // Twenty are under way and refused, one after the other.
    server: ({ at, random }) => {
      sent++;
      if (at >= 25 * SECOND) burst.push(at);
      if (at < 20 * SECOND) return { status: 200, takes: 20 };
      if (at < 25 * SECOND)
        return { status: 429, headers: { "Retry-After": "10" }, takes: 200 + 400 * random() };
      return { status: 200, takes: 5000 };
    },
    wanted: 40,
    lasting: 45 * SECOND,
    seed: 3,
    options: { pacing: false, wait: 60 * SECOND },
  });
  const first = burst[0] as number;
  const together = burst.filter((at) => at < first + 4000).length;
  expect(sent).toBeGreaterThan(100);
  expect(together).toBeGreaterThanOrEqual(10);
});

test("one that hangs keeps no other from being sent for good", async () => {
  const { seen } = await live({
    server: ({ at }) => {
      if (at < 5 * SECOND) return { status: 200 };
      if (at < 8 * SECOND) return { status: 500 };
      return at < 10 * SECOND ? { status: 200, takes: 1e9 } : { status: 200 };
    },
    wanted: 5,
    lasting: 60 * SECOND,
    seed: 1,
    options: { attempts: 1 },
  });
  expect(seen.filter(({ at }) => at >= 30 * SECOND).length).toBeGreaterThan(100);
});
