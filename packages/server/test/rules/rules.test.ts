import { describe, expect, it } from "vitest";
import { listRules } from "../../src/index.ts";
import { rulesOf } from "../support/rules.ts";

function only(rateLimit: string) {
  const rules = rulesOf(`domain: d\ndescriptors: [{ key: k, rate_limit: ${rateLimit} }]`);
  return listRules(rules)[0];
}

const UNITS = [
  ["second", 1_000],
  ["MINUTE", 60_000],
  ["Hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
  ["month", 2_592_000_000],
  ["year", 31_536_000_000],
] as const;

describe("a rule file's limits", () => {
  it.each(UNITS)("counts by the %s", (unit, period) => {
    expect(only(`{ unit: ${unit}, requests_per_unit: 7 }`)?.limit).toEqual({
      kind: "fixed window",
      rate: 7,
      period,
      capacity: 7,
      start: 0,
    });
  });

  it("refuse everything where no number is given", () => {
    expect(only("{ unit: day }")?.limit).toMatchObject({ rate: 0, capacity: 0 });
    expect(only("{ unit: day, requests_per_unit: 0 }")?.limit).toMatchObject({ rate: 0 });
  });

  it("can have no bound, and a name of their own", () => {
    const rule = only("{ unlimited: true, name: free for all }");
    expect(rule).toMatchObject({ limit: "unlimited", label: "free for all" });
  });

  it("take a kind, a period and a capacity", () => {
    const bucket = "{ kind: token bucket, period: 90s, requests_per_unit: 3, capacity: 9 }";
    const expected = { kind: "token bucket", rate: 3, period: "90s", capacity: 9 };
    expect(only(bucket)?.limit).toEqual(expected);
  });

  it("align sliding windows to UTC too", () => {
    const sliding = "{ kind: sliding window, unit: hour, requests_per_unit: 3 }";
    expect(only(sliding)?.limit).toMatchObject({ kind: "sliding window", start: 0 });
  });

  it("go up to a thousand million", () => {
    const most = only("{ unit: second, requests_per_unit: 1000000000 }");
    expect(most?.limit).toMatchObject({ rate: 1_000_000_000 });
  });
});

describe("a rule file", () => {
  it("takes numbers and booleans as the texts they are written as", () => {
    const text = "domain: 42\ndescriptors: [{ key: 0x10, value: true, rate_limit: {unit: day} }]";
    expect(listRules(rulesOf(text))[0]).toMatchObject({ domain: "42", name: "42/0x10=true" });
  });

  it("repeats what an alias stands for", () => {
    const rules = rulesOf(`
domain: d
descriptors:
  - { key: a, rate_limit: &few { unit: day, requests_per_unit: 2 } }
  - { key: b, rate_limit: *few }
`);
    expect(listRules(rules).map(({ name, limit }) => [name, limit])).toMatchObject([
      ["d/a", { rate: 2 }],
      ["d/b", { rate: 2 }],
    ]);
  });

  it("may have no descriptors", () => {
    expect(listRules(rulesOf("domain: d\ndescriptors:\n"))).toEqual([]);
  });

  it("gives no two rules one name", () => {
    const limit = "rate_limit: { unit: day }";
    const rules = rulesOf(`
domain: d
descriptors:
  - { key: "a=b", ${limit} }
  - { key: a, value: b, ${limit}, descriptors: [{ key: c, ${limit} }] }
  - { key: a, value: "b/c", ${limit} }
  - { key: a, value: "b%2Fc", ${limit} }
  - { key: "a\\n", ${limit} }
`);
    const names = listRules(rules).map(({ name }) => name);
    expect(names.toSorted()).toEqual(
      ["d/a%0A", "d/a%3Db", "d/a=b", "d/a=b%252Fc", "d/a=b%2Fc", "d/a=b/c"].toSorted(),
    );
  });

  it("becomes rules that nobody can change", () => {
    const [rule] = listRules(
      rulesOf("domain: d\ndescriptors: [{ key: k, rate_limit: {unit: day} }]"),
    );
    expect(
      Object.isFrozen(rule) && Object.isFrozen(rule?.limit) && Object.isFrozen(rule?.path),
    ).toBe(true);
  });
});
