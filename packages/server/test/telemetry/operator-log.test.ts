import { MINUTE, memoryStore, RateLimiter } from "spillway";
import { manualClock } from "spillway/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memoryLog, transportLog } from "../../src/telemetry/index.ts";
import { startService } from "../support/service-process.ts";
import { ask, YEARLY } from "../support/yearly.ts";

let told: string[];
let clock: ReturnType<typeof manualClock>;
const warn = (message: string) => told.push(message);
beforeEach(() => {
  told = [];
  clock = manualClock(0);
});

describe("what a transport does to protect itself", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is told in full even if nothing follows", () => {
    vi.useFakeTimers();
    const note = transportLog({ warn });
    for (let times = 0; times < 5; times++) note("reader-cut");
    vi.advanceTimersByTime(10 * MINUTE);
    expect(told).toEqual([
      expect.stringMatching(/reading the answer: 1$/),
      expect.stringMatching(/reading the answer: 4$/),
    ]);
  });

  it("is told at once, then once a minute with how often it was", () => {
    const note = transportLog({ warn, clock });
    for (let times = 0; times < 5; times++) note("reader-cut");
    note("pipeline-cut");
    expect(told).toEqual([
      expect.stringMatching(/reading the answer: 1$/),
      expect.stringMatching(/without reading the answers: 1$/),
    ]);
    clock.advance(MINUTE);
    note("reader-cut");
    expect(told.slice(2)).toEqual([expect.stringMatching(/reading the answer: 5$/)]);
  });
});

describe("what memory has forgotten for want of room", () => {
  it("is told at once, then once a minute, and not when there was none", () => {
    const store = memoryStore({ maxKeys: 2, clock, warn: () => {} });
    const limiter = new RateLimiter(
      { hits: { kind: "fixed window", rate: 5, period: "1d" } },
      { store },
    );
    const look = memoryLog(store, { warn, clock });
    const take = (key: string) => limiter.limit("hits", { key });
    for (const key of ["a", "b"]) take(key);
    look();
    expect(told).toEqual([]);
    for (const key of ["c", "d"]) take(key);
    look();
    expect(told).toEqual([
      expect.stringMatching(/^keys forgotten .* at most 2: 2, and 2 since .* Raise --max-keys/),
    ]);
    take("e");
    look();
    clock.advance(MINUTE);
    look();
    look();
    expect(told.slice(1)).toEqual([
      expect.stringMatching(/: 1, and 3 since the start; 0 requests/),
    ]);
  });

  it("is told by the service", async () => {
    await using service = await startService({ rules: YEARLY, args: ["--max-keys", "3"] });
    for (const user of ["ann", "bob", "cyn", "dan", "eve"]) await ask(service, { user });
    await service.warns(/^\S+ spillway: a memory store has used 80 % of its 3 keys/m);
    await service.warns(/^\S+ spillway: keys forgotten too early/m);
  });
});
