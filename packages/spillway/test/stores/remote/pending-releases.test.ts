/** Releases that were not confirmed: what is sent again, when, and until when. Time is virtual. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemScheduler } from "../../../src/internal/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { PendingReleases } from "../../../src/stores/remote/pending-releases.ts";

const TTL = 60_000;
const plan = planFor("jobs", { kind: "concurrency", capacity: 5, ttl: TTL });
const budget = { plan, key: "k" };
const held = (id: number) => ({ id, count: 1 });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Releases, with what was sent and how it is answered. */
function setUp(most = 3) {
  const sent: number[] = [];
  const lost: string[] = [];
  const way = { isOpen: true, answer: (): Promise<boolean> => Promise.reject(new Error("away")) };
  const releases = new PendingReleases({
    most,
    scheduler: systemScheduler,
    send: (_, { id }) => {
      sent.push(id);
      return way.answer();
    },
    maySend: () => way.isOpen,
    overflowed: ({ plan }) => lost.push(plan.limit),
  });
  return { releases, sent, lost, way };
}

test("a release that failed is sent again, ever more rarely, until it is confirmed", async () => {
  const { releases, sent, way } = setUp();
  releases.failed(budget, held(1));
  // What is kept already is not kept twice.
  releases.failed(budget, held(1));
  await pass(100);
  expect(sent).toHaveLength(1);
  await pass(10_000);
  expect(sent.length).toBeGreaterThanOrEqual(10);
  expect(sent.length).toBeLessThanOrEqual(15);
  // Not held any more is an answer as well.
  way.answer = async () => false;
  await pass(1100);
  const confirmed = sent.length;
  await pass(TTL);
  expect(sent).toHaveLength(confirmed);
  expect(vi.getTimerCount()).toBe(0);
});

test("nothing is sent to where nothing may be sent, and all at once when it may", async () => {
  const { releases, sent, way } = setUp();
  way.isOpen = false;
  for (const id of [1, 2]) releases.failed(budget, held(id));
  releases.giveBack(budget, held(3), true);
  await pass(30_000);
  expect(sent).toEqual([]);
  [way.isOpen, way.answer] = [true, async () => true];
  releases.resume();
  expect(sent).toEqual([1, 2, 3]);
  await pass(TTL);
  expect(sent).toEqual([1, 2, 3]);
});

test("what a lease's own time has given back is forgotten", async () => {
  const { releases, sent } = setUp();
  releases.failed(budget, held(1));
  // And two looks, for the instants have fractions.
  await pass(TTL + 200);
  const before = sent.length;
  await pass(TTL);
  expect(sent).toHaveLength(before);
  expect(vi.getTimerCount()).toBe(0);
});

test("a lease whose ask may still be carried out is looked for again and again", async () => {
  const { releases, sent, way } = setUp();
  way.answer = async () => false;
  releases.giveBack(budget, held(1), false);
  await pass(TTL);
  expect(sent).toEqual([1, 1, 1, 1, 1]);
});

test("once is enough where it was found, or where the ask has ended", async () => {
  for (const [isDecided, isFound] of [
    [true, false],
    [false, true],
  ] as const) {
    const { releases, sent, way } = setUp();
    way.answer = async () => isFound;
    releases.giveBack(budget, held(1), isDecided);
    await pass(TTL);
    expect(sent).toEqual([1]);
  }
});

test("a release that was under way when the ask ended does not count: it may have come before", async () => {
  const { releases, sent, way } = setUp();
  const answers: ((isFound: boolean) => void)[] = [];
  way.answer = () => new Promise((resolve) => answers.push(resolve));
  const release = releases.giveBack(budget, held(1), false);
  if (release !== undefined) releases.decided(release);
  answers.shift()?.(false);
  await pass(1000);
  expect(sent).toEqual([1, 1]);
  answers.shift()?.(false);
  await pass(TTL);
  expect(sent).toEqual([1, 1]);
});

test("more than may be kept is reported, each", async () => {
  const { releases, sent, lost, way } = setUp(2);
  for (const id of [1, 2, 3]) releases.failed(budget, held(id));
  expect(releases.giveBack(budget, held(4), false)).toBeUndefined();
  expect(lost).toEqual(["jobs", "jobs"]);
  way.answer = async () => true;
  await pass(100);
  expect(sent).toEqual([1, 2]);
  // There is room again.
  releases.failed(budget, held(5));
  await pass(100);
  expect(sent).toEqual([1, 2, 5]);
});
