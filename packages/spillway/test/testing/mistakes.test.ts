/** What the public suites find: each mistake that a store may make dies in one of their cases. */
import { describe, expect, test } from "vitest";
import {
  type ConformanceCase,
  conformance,
  type OpenStore,
  shareConformance,
} from "../../src/testing/index.ts";
import { brokenStore, type Mistake } from "./broken-store.ts";
import { DRAWS, NAMED, OTHERS } from "./mistakes.ts";

const SEEDS = 3;
type Suite = typeof conformance;

function casesOf(suite: Suite, mistake: Mistake): readonly ConformanceCase[] {
  const open: OpenStore = (clock) => brokenStore(clock, mistake);
  return suite(open, { seeds: SEEDS });
}

/** The first case that fails; undefined where the store passes. */
async function foundBy(suite: Suite, mistake: Mistake): Promise<string | undefined> {
  for (const { name, run } of casesOf(suite, mistake)) {
    try {
      await run();
    } catch {
      return name;
    }
  }
  return undefined;
}

describe.each([
  ["conformance", conformance, { ...NAMED, ...OTHERS }],
  ["shareConformance", shareConformance, DRAWS],
] as const)("%s", (_, suite, mistakes) => {
  test.each(Object.entries(mistakes))("finds a store that %s", async (_, mistake) => {
    expect(await foundBy(suite, mistake)).toEqual(expect.any(String));
  });

  describe("lets a store pass without a mistake", () => {
    for (const { name, run } of casesOf(suite, {})) test(name, run);
  });
});
