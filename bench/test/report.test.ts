import { expect, test } from "vitest";
import { json, table } from "../report.ts";
import { groupOf } from "../rows.ts";

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
    "                   µs  spillway / row  spread",
    "  spillway  1 234 567            1.00       -",
    "  other     2 469.134          500.00       -",
  ]);
});

/** The machine slowed down in the last of three rounds. */
const ROUNDS = [100, 100, 50];

function compared(other: readonly number[]) {
  const [unit, title] = ["µs", "Speed"];
  return groupOf(
    title,
    new Map([
      ["spillway", ROUNDS.map(figures)],
      ["other", other.map(figures)],
    ]),
    {
      figure: "us",
      unit,
    },
  );
}

function figures(us: number) {
  return { us };
}

test("what slows down both of a pair is no noise of their ratio", () => {
  const { rows } = JSON.parse(json("redis", [compared([200, 200, 100])]));
  expect(rows).toEqual([
    { name: "spillway", value: 100, unit: "µs", ratio: 1, spread: 0.25 },
    { name: "other", value: 200, unit: "µs", ratio: 0.5, spread: 0 },
  ]);
});

test("a row of nothing has no spread", () => {
  expect(table(compared([0, 0, 0])).split("\n")[3]).toMatch(/ -$/);
});

test("a ratio that differs from round to round is marked, and the table says why", () => {
  const text = table(compared([200, 200, 200]));
  expect(text).toMatch(/^ {2}other +200 +~ 0\.50 +25\.0 %$/m);
  expect(text).toContain("~ noisy: the rounds' ratios spread over more than 15 %");
  expect(table(compared([100, 100, 50])).split("\n")[2]).toContain("1.00");
});
