/** Failures of one slot pause that slot; failures of several, without an answer in between, pause their node. */
import { expect, test } from "vitest";
import { SlotBreakers } from "../../../src/stores/remote/breaker.ts";
import { manualClock } from "../../../src/testing/index.ts";

function setUp(failures = 3) {
  const clock = manualClock();
  const breakers = new SlotBreakers({ failures, pause: 1000 }, clock);
  /** A request that is sent now fails. */
  const fail = (slot: number) => breakers.failed(slot, breakers.rounds(slot));
  return { clock, breakers, fail };
}

test("one slot that fails is paused, and the others of its node are asked as ever", () => {
  const { breakers, clock, fail } = setUp();
  expect([fail(7), fail(7), fail(7)]).toEqual([undefined, undefined, "slot"]);
  for (let more = 0; more < 100; more++) expect(fail(7)).toBeUndefined();
  expect([breakers.permits(7), breakers.permits(8)]).toEqual(["none", "all"]);
  expect([breakers.pauseLeft(7), breakers.pauseLeft(8)]).toEqual([1000, 0]);
  clock.advance(1000);
  expect(breakers.permits(7)).toBe("probe");
  breakers.probing(7);
  expect(breakers.permits(7)).toBe("none");
  expect(breakers.succeeded(8)).toBeUndefined();
  expect(breakers.permits(7)).toBe("none");
  expect(breakers.succeeded(7)).toBe("slot");
  expect([breakers.permits(7), breakers.pauseLeft(7)]).toEqual(["all", 0]);
});

test.each([1, 2, 5])("a node is paused by failures of several slots, after %d", (failures) => {
  const { breakers, clock, fail } = setUp(failures);
  const least = Math.max(2, failures);
  const opened = Array.from({ length: least }, (_, slot) => fail(slot));
  expect(opened.at(-1)).toBe("node");
  expect(opened.slice(0, -1)).not.toContain("node");
  expect([breakers.permits(99), breakers.pauseLeft(99)]).toEqual(["none", 1000]);
  clock.advance(1000);
  breakers.probing(99);
  expect(breakers.permits(98)).toBe("none");
  expect(breakers.succeeded(99)).toBe("node");
  expect(breakers.permits(98)).toBe("all");
});

test("an answer of the node in between sets it back, but not what a slot has failed of", () => {
  const { breakers, fail } = setUp();
  for (let round = 0; round < 2; round++) {
    expect([fail(1), fail(2)]).toEqual([undefined, undefined]);
    expect(breakers.succeeded(3)).toBeUndefined();
  }
  expect(fail(1)).toBe("slot");
  expect([breakers.permits(1), breakers.permits(2), breakers.permits(3)]).toEqual([
    "none",
    "all",
    "all",
  ]);
});

test("what was sent together fails once, whatever slots it was of", () => {
  const { breakers } = setUp();
  const sent = Array.from({ length: 50 }, (_, slot) => ({ slot, rounds: breakers.rounds(slot) }));
  expect(sent.map(({ slot, rounds }) => breakers.failed(slot, rounds))).toEqual(
    sent.map(() => undefined),
  );
  expect(breakers.permits(0)).toBe("all");
});

test("where there is one slot, it is paused as the node would be; a late answer lets a probe go", () => {
  const { breakers, fail } = setUp();
  const rounds = breakers.rounds(0);
  expect([fail(0), fail(0), fail(0)]).toEqual([undefined, undefined, "slot"]);
  expect(breakers.permits(0)).toBe("none");
  breakers.answeredLate(0, rounds);
  expect(breakers.permits(0)).toBe("probe");
});
