import { describe, expect, test } from "vitest";
import { Readings } from "../../../src/stores/lending/readings.ts";

function readings(at: { wall: number; elapsed: number }) {
  const reads = { elapsed: 0 };
  const elapsed = () => {
    reads.elapsed++;
    return at.elapsed;
  };
  return { reads, readings: new Readings(() => at.wall, elapsed) };
}

describe("readings of both clocks", () => {
  test("one clock is read where that shows the same millisecond", () => {
    const at = { wall: 5000, elapsed: 10 };
    const { reads, readings: both } = readings(at);
    both.now();
    at.elapsed = 10.9;
    expect(both.now()).toEqual({ wall: 5000, elapsed: 10 });
    expect(reads.elapsed).toBe(1);
  });

  test("a step back is seen at once", () => {
    const at = { wall: 5000, elapsed: 10 };
    const { readings: both } = readings(at);
    both.now();
    Object.assign(at, { wall: 4999, elapsed: 400 });
    expect(both.now()).toEqual({ wall: 4999, elapsed: 400 });
  });

  test("a step back by just the time that has passed is seen in the next millisecond, and by exact readings", () => {
    const at = { wall: 5000, elapsed: 10 };
    const { readings: both } = readings(at);
    both.now();
    at.elapsed = 400;
    expect(both.exactly()).toEqual({ wall: 5000, elapsed: 400 });
    Object.assign(at, { wall: 5000, elapsed: 800 });
    both.now();
    Object.assign(at, { wall: 5001, elapsed: 801 });
    expect(both.now()).toEqual({ wall: 5001, elapsed: 801 });
  });
});
