import { expect, test } from "vitest";
import { Selection } from "../selection.ts";

const NAMES = ["spillway cold 5x closing", "none cold 5x closing", "spillway warm 0.5x, HTTP/2"];

function selected(...phrases: readonly string[]): readonly string[] {
  return new Selection(phrases).of(NAMES, (name) => name);
}

test("nothing said selects everything", () => {
  expect(selected()).toEqual(NAMES);
  expect(new Selection().isAll).toBe(true);
  expect(new Selection(["cold"]).isAll).toBe(false);
});

test("a phrase selects the names that have all its words, in any order", () => {
  expect(selected("5x cold")).toEqual(NAMES.slice(0, 2));
  expect(selected("spillway closing")).toEqual(NAMES.slice(0, 1));
  expect(selected("http/2")).toEqual(NAMES.slice(2));
  expect(selected("0.5x")).toEqual(NAMES.slice(2));
});

test("several phrases select what any of them does, once", () => {
  expect(selected("warm", "spillway", "spillway cold")).toEqual([NAMES[0], NAMES[2]]);
});

test("a part of a word is not that word, and a phrase that fits nothing shows all names", () => {
  expect(() => selected("cold", "clos")).toThrow(
    ['--only "clos" fits none of', ...NAMES].join("\n  "),
  );
});
