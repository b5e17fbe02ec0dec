import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { match } from "../../src/index.ts";
import { Patterns } from "../../src/rules/patterns.ts";
import { isMatch, wildcardOf } from "../../src/rules/wildcard.ts";
import { rulesOf } from "../support/rules.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 6 });
const pattern = fc
  .string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 })
  .map((text) => `${text}*`);

/** The same by the book: a regular expression. */
function regular(text: string): RegExp {
  return new RegExp(`^${text.split("*").join("[^]*")}$`);
}

describe("patterns", () => {
  it("match as a regular expression would", () => {
    fc.assert(
      fc.property(pattern, letters, (text, value) => {
        expect(isMatch(wildcardOf(text), value)).toBe(regular(text).test(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("are found as if each were tried in order", () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 12 }), letters, (texts, value) => {
        const patterns = new Patterns<string>();
        for (const [order, text] of texts.entries()) {
          patterns.add({ wildcard: wildcardOf(text), order, to: text });
        }
        const first = texts.find((text) => regular(text).test(value));
        expect(patterns.find(value)?.to).toBe(first);
      }),
      { numRuns: 2000 },
    );
  });

  it("cover only what is really covered", () => {
    fc.assert(
      fc.property(pattern, pattern, letters, (one, other, value) => {
        const patterns = new Patterns<string>();
        patterns.add({ wildcard: wildcardOf(one), order: 0, to: one });
        const isCovered = patterns.covering(wildcardOf(other)) !== undefined;
        if (isCovered && regular(other).test(value)) expect(regular(one).test(value)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("10 000 rules", () => {
  it("are searched by a few look-ups, patterns too", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `pre${index}*post${index}`);
    const patterns = new Patterns<number>();
    let tried = 0;
    for (const [order, text] of many.entries()) {
      const wildcard = new Proxy(wildcardOf(text), {
        get(target, name, receiver) {
          if (name === "length") tried++;
          return Reflect.get(target, name, receiver);
        },
      });
      patterns.add({ wildcard, order, to: order });
    }
    tried = 0;
    expect(patterns.find("pre9999-post9999")?.to).toBe(9999);
    expect(tried).toBeLessThan(50);
  });
});

describe("warnings", () => {
  const warningsOf = (descriptors: string) =>
    rulesOf(`domain: d\ndescriptors:\n${descriptors}`).warnings.map(
      ({ code, line }) => `${line} ${code}`,
    );

  it.each([
    ["- { key: foo, value: bar_baz }\n- { key: foo_bar, value: baz }", ["4 alike-elsewhere"]],
    ["- { key: foo, value: bar }\n- { key: foo_bar }", ["4 alike-elsewhere"]],
    ["- { key: a, value: x* }\n- { key: a, value: xy* }", ["4 never-reached"]],
    ["- { key: a, value: '*' }\n- { key: a }", ["4 never-reached"]],
    ["- { key: a, value: xy* }\n- { key: a, value: x* }\n- { key: a }", []],
    [
      "- { key: a, rate_limit: { unit: day, requests_per_unit: 1, replaces: [{ name: b }] } }",
      ["3 unknown-replaces"],
    ],
    ["- { key: a, rate_limit: { unit: day } }", ["3 refuses-all"]],
    ["- { key: a, rate_limit: { unit: day, requests_per_unit: 0 } }", []],
    ["- { key: a, rate_limit: { unlimited: true } }", []],
    ["- { key: a, rate_limit: { kind: concurrency, capacity: 1, ttl: 1m } }", []],
  ])("%s", (descriptors, expected) => {
    expect(warningsOf(descriptors)).toEqual(expected);
  });
});

describe("a pattern in a key", () => {
  it("leaves the key open too", () => {
    const rules = rulesOf(`domain: d
descriptors:
  - { key: "x-*", rate_limit: { unit: day, requests_per_unit: 1 } }
`);
    const level = rules.domains.get("d");
    const found = ["x-1", "x-2"].map((key) => level && match(level, [{ key, value: "v" }]));
    expect(found.map((one) => one?.rule.name)).toEqual(["d/x-*", "d/x-*"]);
    expect(found[0]?.key).not.toBe(found[1]?.key);
  });
});
