import { expect, test } from "vitest";
import { json, table } from "../report.ts";

const GROUP = {
  title: "Speed",
  rows: [
    { name: "spillway", value: 1_234_567, unit: "µs" },
    { name: "other", value: 2469.134, unit: "µs" },
  ],
};

test("a file holds every row, with what the first is divided by it", () => {
  expect(JSON.parse(json("redis", [GROUP]))).toEqual({
    suite: "redis",
    rows: [
      { name: "spillway", value: 1_234_567, unit: "µs", ratio: 1 },
      { name: "other", value: 2469.134, unit: "µs", ratio: 500 },
    ],
  });
});

test("a table parts thousands, not fractions", () => {
  expect(table(GROUP).split("\n")).toEqual([
    "Speed",
    "                   µs  spillway / row",
    "  spillway  1 234 567            1.00",
    "  other     2 469.134          500.00",
  ]);
});
