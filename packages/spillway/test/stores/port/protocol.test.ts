import { expect, test } from "vitest";
import { KIND_NUMBERS } from "../../../src/stores/index.ts";

test("no two kinds have one number, by which states name them", () => {
  const numbers = Object.values(KIND_NUMBERS);
  expect(new Set(numbers).size).toBe(numbers.length);
});
