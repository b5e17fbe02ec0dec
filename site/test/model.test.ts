/** The playground without its picture. */
import fc from "fast-check";
import { type Rate, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";
import { describe, expect, it } from "vitest";
import {
  addressOf,
  DEFAULT,
  isConcurrency,
  leastNumber,
  PRESETS,
  play,
  playAll,
  programOf,
  readAddress,
  readArrivals,
  readTimes,
  ruleOf,
  type Setup,
  summaryOf,
} from "../model/index.ts";
import { checkOutput, programOutput } from "./run-copied.ts";
import { setups } from "./setups.ts";

describe("an address", () => {
  it("says the whole setup", () => {
    fc.assert(
      fc.property(setups, (setup) => {
        expect(readAddress(addressOf(setup))).toEqual({ setup, problems: [] });
      }),
    );
  });

  it("of any text is read, or reported and replaced by defaults that can be played", () => {
    const fields = fc.constantFrom("limit", "traffic", "times", "obeys", "units", "windows");
    const values = fc.oneof(fc.string(), fc.constantFrom("token bucket:1/s", "1/s for 1s", "-1"));
    const query = fc
      .array(fc.tuple(fields, values))
      .map((all) => new URLSearchParams(all).toString());
    fc.assert(
      fc.property(fc.oneof(fc.string(), query), (text) => {
        const { setup } = readAddress(text);
        expect(setup.limits.length).toBeGreaterThan(0);
        expect(readAddress(addressOf(setup)).problems).toEqual([]);
      }),
    );
  });

  it.each([
    ["limit=nope:1/s", 'limit: the kind "nope" is unknown'],
    ["limit=token+bucket:1/s&".repeat(4), "limit: 4 limits, expected at most 3"],
    ["limit=token+bucket:1/s:NaN", "limit: "],
    ["limit=token+bucket:1/s:1e99", "limit: "],
    ["traffic=50001+at+once", "50001 requests, expected at most 50000"],
    ["traffic=1", "its end at character 2"],
    ["times=soon", '"soon" at line 1 is no timestamp'],
    ["limit=concurrency", "limit: "],
    ["limit=concurrency:3:soon", 'limit: the time "soon" is not understood'],
    ["limit=concurrency:3:10s:0s", "limit: work lasts 0 ms, expected from 1 ms to a day"],
    ["units=0", 'units: "0", expected a whole number from 1'],
    ["obeys=maybe", 'obeys: "maybe", expected no or yes'],
    [`traffic=${"x".repeat(20_000)}`, "expected at most 16000"],
  ])("%s is reported", (query, message) => {
    const { setup, problems } = readAddress(query);
    expect(problems.join()).toContain(message);
    expect(setup).toEqual(DEFAULT);
  });
});

describe("a play", () => {
  it("has the library's own decisions, one for each request", () => {
    fc.assert(
      fc.property(setups, ({ obeys: _, ...rest }) => {
        const setup = { ...rest, obeys: false, aligned: false };
        const arrivals = setup.times ?? readArrivals(setup.traffic).arrivals;
        for (const [index, { decisions }] of playAll(setup).entries()) {
          const clock = manualClock();
          const origin = clock();
          const requests = setup.limits[index];
          if (requests === undefined || isConcurrency(requests)) continue;
          const limiter = new RateLimiter(
            { requests: requests as Rate },
            { store: memoryStore({ clock }) },
          );
          const own = arrivals.map((at) => {
            clock.set(origin + at);
            const { limit, ...rest } = limiter.limit("requests", {
              key: "user 42",
              count: setup.units,
            });
            return JSON.stringify([at, rest.ok, rest.remaining, rest.retryAfter, rest.resetAfter]);
          });
          expect(
            decisions.map(({ at, ok, remaining, retryAfter, resetAfter }) =>
              JSON.stringify([at, ok, remaining, retryAfter, resetAfter]),
            ),
          ).toEqual(own);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("holds a lease for each request at work, until it ends or expires", () => {
    const limit = fc.record({
      kind: fc.constant("concurrency" as const),
      capacity: fc.integer({ min: 1, max: 5 }),
      ttl: fc.integer({ min: 1, max: 3000 }),
      work: fc.integer({ min: 1, max: 3000 }),
    });
    fc.assert(
      fc.property(setups, limit, ({ traffic }, concurrency) => {
        const setup = { ...DEFAULT, traffic, limits: [concurrency] };
        const [one] = playAll(setup);
        const { capacity, ttl, work } = concurrency;
        const ends: number[] = [];
        for (const { at, ok, remaining, retryAfter } of one?.decisions ?? []) {
          const held = ends.filter((end) => end > at).length;
          expect([at, ok]).toEqual([at, held < capacity]);
          if (ok) ends.push(at + Math.min(ttl, work));
          expect(remaining).toBe(capacity - held - (ok ? 1 : 0));
          if (!ok) expect(retryAfter).toBeGreaterThan(0);
        }
        const atEnd = ends.filter((end) => end > (one?.end ?? 0)).length;
        expect(one?.readings.at(-1)?.remaining).toBe(capacity - atEnd);
      }),
      { numRuns: 50 },
    );
  });

  it("lets obedient clients come back exactly when they may", () => {
    const [bucket] = playAll({
      ...DEFAULT,
      traffic: "3 at once",
      obeys: true,
      limits: [ONE_A_SECOND],
    });
    const rows = bucket?.decisions.map(({ at, request, attempt, ok }) => [
      at,
      request,
      attempt,
      ok,
    ]);
    expect(rows).toEqual([
      [0, 1, 1, true],
      [0, 2, 1, false],
      [0, 3, 1, false],
      [1000, 2, 2, true],
      [1000, 3, 2, false],
      [2000, 3, 3, true],
    ]);
  });

  it("ends, though clients would come back for ever", () => {
    const setup = { ...DEFAULT, traffic: "2000 at once", obeys: true, limits: [ONE_A_SECOND] };
    const [cut] = playAll(setup);
    expect(cut?.cut).toBe(true);
    expect(cut?.decisions.length).toBe(50_000);
  });

  it("reads what is left a bounded number of times, also over days", () => {
    const limit = { kind: "token bucket", rate: 1, period: 86_400_000, capacity: 1 } as const;
    const [slow] = playAll({ ...DEFAULT, traffic: "5 at once", obeys: true, limits: [limit] });
    expect(slow?.readings.length).toBeLessThan(20);
  });
});

const ONE_A_SECOND = { kind: "token bucket", rate: 1, period: 1000, capacity: 1 } as const;

describe("the least number", () => {
  it("refuses nobody, and one less does", () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const [limit] = setup.limits;
        if (limit === undefined) return;
        const least = leastNumber(setup, limit);
        if (least === undefined || least.value === setup.units) return;
        const refusals = (value: number) => {
          const tried = { ...setup, obeys: false, limits: [{ ...limit, [least.field]: value }] };
          return playAll(tried)[0]?.decisions.filter(({ ok }) => !ok).length;
        };
        expect(refusals(least.value)).toBe(0);
        expect(refusals(least.value - 1)).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });

  it("of the clicks is 20, which the first twenty need", () => {
    expect(leastNumber(DEFAULT, DEFAULT.limits[0] as never)?.first).toEqual({
      requests: 20,
      value: 20,
    });
  });
});

describe("timestamps", () => {
  it("are milliseconds, seconds since 1970, or dates", () => {
    expect(readTimes("100\n350\n200")).toEqual([0, 100, 250]);
    expect(readTimes("1760000000\n1760000001.5")).toEqual([0, 1500]);
    expect(readTimes("2026-01-01T00:00:00Z GET /\n2026-01-01T00:00:01.250Z GET /")).toEqual([
      0, 1250,
    ]);
  });

  it.each(["", "yesterday", "1\nlater", "-5", "0\n99999999999999"])("%j is refused", (text) => {
    expect(() => readTimes(text)).toThrow(/expected/);
  });
});

const copied: readonly (readonly [string, Setup])[] = [
  ...PRESETS.map(({ name, setup }) => [name, setup] as const),
  ["timestamps", { ...DEFAULT, times: [0, 10, 20, 20, 5000], limits: [ONE_A_SECOND] }],
  [
    "work in flight",
    {
      ...DEFAULT,
      limits: [{ kind: "concurrency", capacity: 3, ttl: 60_000, work: 1500 }],
    },
  ],
  [
    "work in flight whose leases expire, and clients that come back",
    {
      ...DEFAULT,
      obeys: true,
      limits: [{ kind: "concurrency", capacity: 3, ttl: 700, work: 1500 }],
    },
  ],
  [
    "an instant of the key",
    { ...DEFAULT, aligned: false, limits: [{ kind: "sliding window", rate: 7, period: 1500 }] },
  ],
];

describe("what is copied", () => {
  it.each(copied)("runs and prints the same numbers: %s", (_, setup) => {
    for (const limit of setup.limits) {
      const { arrivals, duration } = traffic(setup);
      const { admitted, refused, longestWait } = summaryOf(
        play(limit, setup, { arrivals, duration }),
      );
      expect(programOutput(programOf(setup, limit))).toBe(
        `${admitted} admitted, ${refused} refused, the longest wait ${longestWait} ms`,
      );
    }
  });

  it.each(copied)("is a rule file that spillway check accepts: %s", (_, setup) => {
    for (const limit of setup.limits)
      expect(checkOutput(ruleOf(setup, limit))).toContain("1 limit");
  });
});

function traffic({ times, traffic }: Setup) {
  return times === undefined
    ? readArrivals(traffic)
    : { arrivals: times, duration: (times.at(-1) ?? 0) + 1 };
}
