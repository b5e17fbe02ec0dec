import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { flatten, listRules, Rebuilder, type Rules } from "../../src/index.ts";
import { rulesOf } from "../support/rules.ts";
import { OWN } from "../transports/envoy/cases.ts";

/** Rules that have been sent to another thread. */
function sent(rules: Rules): Rules {
  const rebuilder = new Rebuilder();
  for (const domain of rules.domains.keys()) {
    rebuilder.addDomain(domain, structuredClone(rules.http.get(domain)));
  }
  for (const node of flatten(rules)) rebuilder.add(structuredClone(node));
  return rebuilder.done(rules.warnings);
}

describe("rules that were made plain data and rules again", () => {
  it.each(Object.entries(OWN.configs))("are the same: %s", (_id, { files }) => {
    const rules = rulesOf(stringify(files[0]));
    const again = sent(rules);
    expect(listRules(again)).toEqual(listRules(rules));
    expect([...flatten(again)]).toEqual([...flatten(rules)]);
  });

  it("keep what HTTP requests are", () => {
    const text = readFileSync(
      new URL("../../../../examples/proxies/rules.yaml", import.meta.url),
      "utf8",
    );
    const rules = rulesOf(text);
    expect(rules.http.get("shop")).toHaveLength(3);
    expect(sent(rules).http).toEqual(rules.http);
  });

  it("keep the order of patterns in values and in keys", () => {
    const rules = rulesOf(`domain: d
descriptors:
  - { key: "a*", value: x*, rate_limit: { unlimited: true } }
  - { key: ab, value: xy*, rate_limit: { unlimited: true } }
  - { key: "*b", value: z, rate_limit: { unlimited: true } }
`);
    expect([...flatten(sent(rules))].map(({ order }) => order)).toEqual([1, 0, 2]);
  });
});
