import { expect, it } from "vitest";
import { listRules } from "../../../src/index.ts";
import { describeDiff } from "../../../src/process/reload/diff.ts";
import { rulesOf } from "../../support/rules.ts";

const [rule] = listRules(
  rulesOf("domain: shop\ndescriptors: [{ key: user, rate_limit: { unit: day } }]"),
);

it("a change of many rules is told by its first ones, and by how many there are", () => {
  if (rule === undefined) throw new Error("there is a rule");
  const lines = describeDiff({
    removed: Array.from({ length: 15 }, () => rule),
    changed: Array.from({ length: 10_000 }, () => ({ before: rule, now: rule })),
    added: [rule],
  });
  expect(lines[0]).toBe("10016 limits: 1 added, 10000 changed, 15 removed");
  expect(
    lines
      .slice(1, -1)
      .map((line) => line[0])
      .join(""),
  ).toBe(`${"-".repeat(15)}~~~~~`);
  expect(lines.at(-1)).toBe("and 9996 more");
});

it("a rule that is no longer there writes nothing out beyond the lines that are shown", () => {
  let read = 0;
  const counting = new Proxy(rule as NonNullable<typeof rule>, {
    get(target, name) {
      if (name === "name") read++;
      return Reflect.get(target, name);
    },
  });
  describeDiff({ removed: [], changed: [], added: Array.from({ length: 1000 }, () => counting) });
  expect(read).toBe(20);
});
