/** Which rules become limits of a program. */
import { describe, expect, it } from "vitest";
import { listRules, RulesError } from "../../../src/index.ts";
import { itemsOfDomain, programLimits } from "../../../src/process/program/limits-of-rules.ts";
import { rulesOf } from "../../support/rules.ts";

function limitsOf(text: string) {
  const rules = rulesOf(`domain: shop\n${text}`);
  return programLimits(listRules(rules), itemsOfDomain(rules, "shop")).limits;
}

/** The mistakes, without what follows the first sentence. */
function refused(text: string): readonly string[] {
  try {
    limitsOf(text);
    return [];
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    return error.problems.map(
      ({ line, column, code, found }) => `${line}:${column} ${code} ${found}`,
    );
  }
}

const LIMIT = "unit: minute, requests_per_unit: 5";

describe("rules as limits of a program", () => {
  it("have the name of their rate_limit, or the path of their descriptors", () => {
    const limits = limitsOf(`descriptors:
  - key: auth_type
    value: login
    rate_limit: { ${LIMIT}, name: per address }
    descriptors:
      - { key: user, rate_limit: { ${LIMIT} } }
  - { key: jobs, rate_limit: { kind: concurrency, capacity: 2, ttl: 30s } }
`);
    expect(limits).toEqual({
      "per address": { kind: "fixed window", rate: 5, period: 60_000, capacity: 5, start: 0 },
      "shop/auth_type=login/user": expect.objectContaining({ rate: 5 }),
      "shop/jobs": { kind: "concurrency", capacity: 2, ttl: "30s" },
    });
  });

  it("have the weaker of the modes that the rule has", () => {
    const limits = limitsOf(`descriptors:
  - { key: a, shadow_mode: true, rate_limit: { ${LIMIT} } }
  - { key: b, shadow_mode: true, rate_limit: { ${LIMIT}, mode: enforce } }
  - { key: c, shadow_mode: true, rate_limit: { ${LIMIT}, mode: off } }
  - { key: d, rate_limit: { ${LIMIT}, mode: "shadow" } }
  - { key: e, rate_limit: { ${LIMIT}, mode: enforce } }
`);
    const modes = Object.values(limits).map(({ mode }) => mode);
    expect(modes).toEqual(["shadow", "shadow", "off", "shadow", undefined]);
  });

  it("keep fields that only concern the service's answers and metrics", () => {
    const limits = limitsOf(`descriptors:
  - key: user
    detailed_metric: true
    metadata: { team: search }
    rate_limit: { ${LIMIT}, when_unavailable: open }
`);
    expect(limits["shop/user"]).toMatchObject({ rate: 5, whenUnavailable: "open" });
  });

  it.each([
    ["{ key: user, value: a*, rate_limit: { %s } }", "a pattern with *"],
    ["{ key: u*, rate_limit: { %s } }", "a pattern with *"],
    ["{ key: user, rate_limit: { unlimited: true } }", "unlimited"],
    ["{ key: user, quota_mode: true, rate_limit: { %s } }", "quota_mode"],
    ["{ key: user, rate_limit: { %s, jitter: 1s } }", "jitter"],
    ["{ key: user, rate_limit: { %s, replaces: [{ name: a }] } }", "replaces"],
  ])("are refused with their place where a program would do something else: %s", (text, found) => {
    const all = `descriptors:\n  - ${text.replace("%s", LIMIT)}\n`;
    expect(refused(all)).toEqual([
      expect.stringMatching(
        new RegExp(`^3:5 not-for-programs ${found.replace("*", "\\*")} in the limit`),
      ),
    ]);
  });

  it("are refused with all places", () => {
    expect(
      refused(`descriptors:
  - key: a
    rate_limit: { ${LIMIT}, name: one }
    descriptors:
      - { key: b, rate_limit: { ${LIMIT}, also: parent, name: one } }
`),
    ).toEqual([
      '6:9 duplicate-name a second limit "one"',
      '6:9 not-for-programs also: parent in the limit "one"',
    ]);
  });

  it("are refused beside an http section, unless that is in another domain", () => {
    const section = "http: [{ actions: [{ method: {} }] }]";
    expect(refused(section)).toEqual(["2:8 not-for-programs an http section"]);
    expect(itemsOfDomain(rulesOf(`domain: shop\n${section}`), "other")).toEqual([]);
  });
});
