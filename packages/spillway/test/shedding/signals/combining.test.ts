import { expect, test } from "vitest";
import { highest } from "../../../src/shedding/signals/highest.ts";
import { safely } from "../../../src/shedding/signals/safely.ts";
import { smoothed } from "../../../src/shedding/signals/smoothed.ts";
import { telling } from "./telling.ts";

test("the highest is that of the signals that tell something; all are read", () => {
  const bad = new Error("broken");
  const signal = highest(
    telling(0.5, undefined, bad, undefined),
    telling(undefined, 0.2, Number.NaN, undefined),
    telling(0.7, 3, 0.1, undefined, bad),
  );
  expect([signal(), signal(), signal(), signal()]).toEqual([0.7, 3, 0.1, undefined]);
  expect(signal).toThrow(bad);
});

test("an average begins with the first number, and anew where the signal told nothing", () => {
  const bad = new Error("broken");
  const values = telling(undefined, 1, 0, 0, undefined, 0.4, bad, 0.8, Number.NaN);
  const signal = smoothed(values, { weight: 0.5 });
  const told = Array.from({ length: 6 }, () => signal());
  expect(told).toEqual([undefined, 1, 0.5, 0.25, undefined, 0.4]);
  expect(signal).toThrow(bad);
  expect(signal()).toBe(0.8);
  expect(signal).toThrow("signal is NaN, expected a number from 0 up, or undefined");
});

test("a signal that fails tells nothing, and each kind of failure once until it recovers", () => {
  const problems: string[] = [];
  const values = [new Error("one"), new Error("two"), new TypeError("three"), Number.NaN];
  const more = [Number.POSITIVE_INFINITY, "0.5", null, -1, -2, undefined, new Error("four")];
  const signal = safely(telling(...values, ...more, 0.5, new Error("five"), 7), (error) =>
    problems.push(error.message),
  );
  const told = Array.from({ length: 14 }, () => signal());
  expect(told).toEqual([...Array(11).fill(undefined), 0.5, undefined, 7]);
  expect(problems).toEqual([
    "one",
    "three",
    "signal is NaN, expected a number from 0 up, or undefined",
    "signal is -1, expected a number from 0 up, or undefined",
    "five",
  ]);
});

test("what is thrown that is no error becomes one, and a listener's own fault is ignored", () => {
  const causes: unknown[] = [];
  const signal = safely(
    () => {
      throw "text";
    },
    (error) => {
      causes.push(error.cause);
      throw error;
    },
  );
  expect([signal(), causes]).toEqual([undefined, ["text"]]);
  const rejecting = safely(telling(Number.NaN), (error) => Promise.reject(error));
  expect(rejecting()).toBeUndefined();
});
