/**
 * Ten clients that know nothing of each other want five times what a server allows them together: once
 * they have learnt, at most 1 % of what they send is refused, and 95 % of what is allowed is used.
 */
import { describe, expect, test } from "vitest";
import { between, crowd, shares } from "./crowd.ts";
import { type Answer, fixedWindow, limitReq, ours } from "./servers.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

/** Requests a second. */
const RATE = 100;
const WINDOW = { rate: 5 * RATE, period: 5000 };
const LEARNT = 10_000;
/** Where nothing but refusals says what is allowed. */
const LEARNT_BY_REFUSALS = 25_000;
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
  const from = name.endsWith("nothing") ? LEARNT_BY_REFUSALS : LEARNT;

  test.each([1, 10])(
    "is used well, and refuses hardly anything, of %i clients",
    async (clients) => {
      const time = new VirtualScheduler();
      const lasting = from + LASTING - LEARNT;
      const seen = await crowd(time, server(time), { clients, wanted: 5 * rate, lasting, seed: 2 });
      const { refused, used } = shares(
        between(seen, from, lasting),
        (rate * (lasting - from)) / 1000,
      );
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
