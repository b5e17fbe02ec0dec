/** Several calls of which a later one throws: the earlier ones have promised something that nobody waits for. */
import { expect, test } from "vitest";
import { allOf, together } from "../../src/internal/index.ts";
import { watchRejections } from "../faults.ts";

/** The first rejects once the second has thrown. */
function failing(which: "first" | "second"): Promise<never> {
  if (which === "first") return Promise.reject(new Error("rejected"));
  throw new Error("thrown");
}

test.each([
  ["by the timing", () => allOf("later", ["first", "second"] as const, failing)],
  ["by the value", () => together(["first", "second"] as const, failing)],
])("%s, what throws is thrown, and no rejection is left", async (_, call) => {
  const rejections = watchRejections();
  expect(call).toThrow("thrown");
  await rejections.none();
});

test("answers come in the order of the calls, whichever is there first", async () => {
  const slow = async (turns: number) => {
    for (let left = turns; left > 0; left--) await undefined;
    return turns;
  };
  expect(await allOf("later", [3, 1, 2], slow)).toEqual([3, 1, 2]);
  expect(await together([2, 0], (turns) => (turns === 0 ? 0 : slow(turns)))).toEqual([2, 0]);
  expect(allOf("now", [3, 1], (one) => one)).toEqual([3, 1]);
});
