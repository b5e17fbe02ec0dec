import { expect, test } from "vitest";
import { median, quantile, relativeSpread } from "../numbers.ts";

test.each([
  { numbers: [3, 1, 2], middle: 2 },
  { numbers: [4, 1, 2, 3], middle: 2.5 },
  { numbers: [7], middle: 7 },
  { numbers: [], middle: Number.NaN },
])("the median of $numbers is $middle", ({ numbers, middle }) => {
  expect(median(numbers)).toBe(middle);
});

test.each([
  { part: 0, least: 1 },
  { part: 0.5, least: 50 },
  { part: 0.99, least: 99 },
  { part: 0.991, least: 100 },
  { part: 1, least: 100 },
])("$part of 100 numbers are at most $least", ({ part, least }) => {
  const numbers = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(quantile(numbers, part)).toBe(least);
});

test.each([
  { numbers: [100, 100, 100], apart: 0 },
  { numbers: [95, 100, 105], apart: 0.05 },
  { numbers: [1, 95, 100, 105, 1000], apart: 0.1 },
  { numbers: [-90, -110], apart: 0.1 },
  { numbers: [7], apart: 0 },
])("the middle half of $numbers is $apart of their median apart", ({ numbers, apart }) => {
  expect(relativeSpread(numbers)).toBeCloseTo(apart, 12);
});
