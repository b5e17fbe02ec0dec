import { expect, it } from "vitest";
import { describeRule } from "../../../src/process/console/listing.ts";
import type { Rule } from "../../../src/rules/index.ts";

it("says of a rule for how long its units are lent, so that a change of that can be seen", () => {
  const limit = { kind: "fixed window", rate: 5, period: "1m", start: 0 } as const;
  const rule = { shadow: false, quota: false } as Rule;
  expect(describeRule({ ...rule, limit })).toBe("fixed window, 5 per minute");
  const lent = "fixed window, 5 per minute, units lent for 10s at most";
  expect(describeRule({ ...rule, limit: { ...limit, share: "10s" } })).toBe(lent);
  const penalty = { after: 3, within: "5m", block: "1m", most: "90s" } as const;
  const blocks = "fixed window, 5 per minute, blocks for 1m to 90s after 3 refusals in 5m";
  expect(describeRule({ ...rule, limit: { ...limit, penalty } })).toBe(blocks);
});
