import { expect, test } from "vitest";
import { Breaker } from "../../../src/stores/remote/breaker.ts";
import { manualClock } from "../../../src/testing/index.ts";

function setUp() {
  const clock = manualClock();
  return { clock, breaker: new Breaker({ failures: 3, pause: 1000 }, clock) };
}

test("a breaker opens after failures in a row, and not after scattered ones", () => {
  const { breaker } = setUp();
  expect([breaker.failed(), breaker.failed(), breaker.succeeded()]).toEqual([false, false, false]);
  expect([breaker.failed(), breaker.failed(), breaker.permits()]).toEqual([false, false, "all"]);
  expect([breaker.failed(), breaker.permits()]).toEqual([true, "none"]);
});

test("an open breaker lets one probe through each pause, and tells when", () => {
  const { breaker, clock } = setUp();
  for (let failure = 0; failure < 3; failure++) breaker.failed();
  clock.advance(999);
  expect([breaker.permits(), breaker.pauseLeft()]).toEqual(["none", 1]);
  clock.advance(1);
  expect(breaker.permits()).toBe("probe");
  breaker.probing();
  expect([breaker.permits(), breaker.pauseLeft()]).toEqual(["none", 1000]);
  expect(breaker.failed()).toBe(false);
  clock.advance(1000);
  expect(breaker.permits()).toBe("probe");
});

test("a probe that succeeds closes it", () => {
  const { breaker, clock } = setUp();
  for (let failure = 0; failure < 3; failure++) breaker.failed();
  clock.advance(1000);
  breaker.probing();
  expect([breaker.succeeded(), breaker.permits(), breaker.pauseLeft()]).toEqual([true, "all", 0]);
});

test("a clock that goes back does not keep it open for ever", () => {
  const { breaker, clock } = setUp();
  for (let failure = 0; failure < 3; failure++) breaker.failed();
  clock.advance(-1_000_000);
  expect(breaker.permits()).toBe("probe");
});

test("failures of what was under way together count once", () => {
  const { breaker } = setUp();
  const first = breaker.round;
  for (let failure = 0; failure < 10; failure++) expect(breaker.failed(first)).toBe(false);
  const second = breaker.round;
  expect([breaker.failed(second), breaker.failed(first), breaker.failed(second)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([breaker.permits(), breaker.failed(breaker.round), breaker.permits()]).toEqual([
    "all",
    true,
    "none",
  ]);
});

test("a late answer lets a probe go where it was asked for before the breaker opened", () => {
  const { breaker } = setUp();
  const early = breaker.round;
  breaker.answeredLate(early);
  for (let failure = 0; failure < 3; failure++) breaker.failed();
  breaker.answeredLate(breaker.round);
  expect(breaker.permits()).toBe("none");
  breaker.answeredLate(early);
  expect([breaker.permits(), breaker.pauseLeft()]).toEqual(["probe", 0]);
  breaker.probing();
  expect(breaker.permits()).toBe("none");
});
