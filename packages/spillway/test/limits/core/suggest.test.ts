import { describe, expect, test } from "vitest";
import { nearest } from "../../../src/limits/core/index.ts";

describe("a suggestion", () => {
  test.each([
    ["serach", "search"],
    ["Search", "search"],
    ["sarch", "search"],
    ["seaarch", "search"],
    ["seatch", "search"],
    ["ab", undefined],
    ["entirely other", undefined],
    ["", undefined],
  ])("for %j is %j", (typed, name) => {
    expect(nearest(typed, ["login", "search", "exports"])).toBe(name);
  });

  test("is the nearest of several, the first of equals", () => {
    expect(nearest("limit", ["limits", "limit 1", "timit"])).toBe("limits");
    expect(nearest("limit12", ["limit1", "limit123", "limit12x"])).toBe("limit1");
  });

  /** Names, and how many of them and of their letters were looked at. */
  function counted(name: (index: number) => string) {
    const work = { names: 0, letters: 0 };
    function* names() {
      for (let index = 0; index < 100_000; index++) {
        work.names++;
        const text = name(index);
        work.letters += text.length;
        yield text;
      }
    }
    return { work, names: names() };
  }

  test("takes no more work for a hundred thousand names of any length", () => {
    for (const length of [1, 10, 30, 64, 80, 5000]) {
      const { work, names } = counted((index) => String(index).padStart(length, "x"));
      nearest("y".repeat(64), names);
      expect(work.names).toBeLessThanOrEqual(1001);
      // Letters of names that are as long as what was typed are compared with all of it.
      if (length > 40 && length < 100) expect(work.letters * 64).toBeLessThanOrEqual(20_000);
    }
  });

  test("is none for what is too long to be a name", () => {
    const { work, names } = counted((index) => `name ${index}`);
    expect(nearest("x".repeat(65), names)).toBeUndefined();
    expect(work.names).toBe(0);
  });
});
