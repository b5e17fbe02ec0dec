/**
 * Ten clients that know nothing of each other want five times what a server allows them together: once
 * they have learnt, at most 1 % of what they send is refused, and 95 % of what is allowed is used.
 */
import { describe, expect, test } from "vitest";
import { between, type CrowdOptions, crowd, type Seen, shares } from "./crowd.ts";
import { type Answer, away, fixedWindow, limitReq, ours } from "./servers.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

/** Requests a second. */
const RATE = 100;
const WINDOW = { rate: 5 * RATE, period: 5000 };
const LEARNT = 10_000;
const LASTING = 30_000;

const SERVERS: { readonly [name: string]: (time: VirtualScheduler) => Answer } = {
  "a fixed window with the headers of draft 6": (time) =>
    fixedWindow(time, WINDOW, ({ limit, remaining, seconds, period }) => ({
      "RateLimit-Policy": `${limit};w=${period}`,
      "RateLimit-Limit": String(limit),
      "RateLimit-Remaining": String(remaining),
      "RateLimit-Reset": String(seconds),
    })),
  "a fixed window with X-RateLimit in seconds": (time) =>
    fixedWindow(time, WINDOW, ({ limit, remaining, seconds }) => ({
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(remaining),
      "X-RateLimit-Reset": String(seconds),
    })),
  "a fixed window with X-RateLimit as an instant": (time) =>
    fixedWindow(time, WINDOW, ({ limit, remaining, seconds }) => ({
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(remaining),
      "X-RateLimit-Reset": String(Math.floor(time.clock() / 1000) + seconds),
    })),
  "a token bucket of ours": (time) => ours(time, { rate: RATE, period: 1000 }),
  "a small token bucket of ours": (time) => ours(time, { rate: 20, period: 1000 }),
  "a leaky bucket that says nothing": (time) =>
    limitReq(time, { rate: RATE, period: 1000, burst: 20, status: 503 }),
};

const allowed = (name: string) => (name.startsWith("a small") ? 20 : RATE);

describe.each(Object.entries(SERVERS))("%s", (name, server) => {
  const rate = allowed(name);

  test.each([1, 10])(
    "is used well, and refuses hardly anything, of %i clients",
    async (clients) => {
      const time = new VirtualScheduler();
      const wanted = { clients, wanted: 5 * rate, lasting: LASTING, seed: 2 };
      const seen = await crowd(time, server(time), wanted);
      const counted = between(seen, LEARNT, LASTING);
      const { refused, used } = shares(counted, (rate * (LASTING - LEARNT)) / 1000);
      expect(refused).toBeLessThanOrEqual(0.01);
      expect(used).toBeGreaterThanOrEqual(0.95);
    },
  );

  test("is not run over when it is back after an outage", async () => {
    const time = new VirtualScheduler();
    const outage = { from: 12_000, to: 19_000 };
    const seen = await crowd(time, server(time), {
      clients: 10,
      wanted: 5 * rate,
      lasting: LASTING,
      seed: 3,
      outage,
    });
    const perSecond = (second: number) => between(seen, second, second + 1000).length;
    const seconds = Array.from({ length: 11 }, (_, index) => outage.to + index * 1000);
    const peak = Math.max(...seconds.map(perSecond));
    expect(peak).toBeLessThanOrEqual(2 * rate);
    // A probe a second, of each.
    const during = between(seen, outage.from + 2000, outage.to).length;
    expect(during).toBeLessThanOrEqual(10 * 5);
    // And it is used again, soon.
    expect(between(seen, 25_000, LASTING).length).toBeGreaterThan(0.8 * 5 * rate);
  });
});

/** Ten clients that want five times as much, from when they have learnt until the end. */
async function learnt(
  server: (time: VirtualScheduler) => Answer,
  { rate, seed, from, lasting }: { rate: number; seed: number; from: number; lasting: number },
  late?: CrowdOptions["late"],
) {
  const time = new VirtualScheduler();
  const wanted = { clients: 10, wanted: 5 * rate, lasting, seed };
  const seen = await crowd(time, server(time), { ...wanted, ...(late && { late }) });
  return shares(between(seen, from, lasting), (rate * (lasting - from)) / 1000);
}

describe("a leaky bucket that says nothing", () => {
  const silent = (rate: number) => (time: VirtualScheduler) =>
    limitReq(time, { rate, period: 1000, burst: 20, status: 503 });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "is learnt from sixty requests of each client (%i)",
    async (seed) => {
      const rate = 40;
      const late = { most: 10, every: 700, stall: 100 };
      const span = { rate, seed, from: 15_000, lasting: 30_000 };
      const { refused, used } = await learnt(silent(rate), span, late);
      expect(refused).toBeLessThanOrEqual(0.01);
      expect(used).toBeGreaterThanOrEqual(0.95);
    },
  );

  test("refuses hardly anything of clients that send one request a second", async () => {
    const rate = 10;
    const span = { rate, seed: 1, from: 60_000, lasting: 240_000 };
    const { refused, used } = await learnt(silent(rate), span);
    expect(refused).toBeLessThanOrEqual(0.01);
    expect(used).toBeGreaterThanOrEqual(0.95);
  });
});

describe("a fixed window that says only when to come back", () => {
  const rate = 40;
  const window = (time: VirtualScheduler) =>
    fixedWindow(time, { rate: 200, period: 5000 }, () => ({}));

  test("is used well, and refuses hardly anything", async () => {
    const { refused, used } = await learnt(window, {
      rate,
      seed: 1,
      from: 15_000,
      lasting: 40_000,
    });
    expect(refused).toBeLessThanOrEqual(0.01);
    expect(used).toBeGreaterThanOrEqual(0.95);
  });

  test.each([3, 30])("is not run over by those it told to come back in %i s", async (seconds) => {
    const time = new VirtualScheduler();
    const gone = { from: 25_000, to: 24_000 + seconds * 1000, seconds };
    const lasting = gone.to + 20_000;
    const server = away(time, window(time), gone);
    const seen = await crowd(time, server, { clients: 10, wanted: 5 * rate, lasting, seed: 1 });
    expect(busiest(seen, gone.to)).toBeLessThanOrEqual(2 * rate);
  });
});

test("who was never refused comes back from an outage no faster than before, at first", async () => {
  const time = new VirtualScheduler();
  const gone = { from: 20_000, to: 29_000, seconds: 10 };
  const server = away(time, () => new Response("ok"), gone);
  const options = { wait: 60_000 };
  const wanted = { clients: 10, wanted: 40, lasting: 60_000, seed: 1, options };
  const seen = await crowd(time, server, wanted);
  const back = seen.find(({ at, status }) => at >= gone.to && status === 200)?.at ?? 0;
  expect(busiest(between(seen, 0, back + 2000), gone.to)).toBeLessThanOrEqual(2 * 40);
  // All that has waited meanwhile is sent.
  expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThan(0.95 * 40 * 60);
});

/** The most requests of any second. */
function busiest(seen: readonly Seen[], from: number): number {
  const later = seen.filter(({ at }) => at >= from);
  return Math.max(...later.map(({ at }) => between(later, at, at + 1000).length));
}
