/**
 * How rule files may be written that envoyproxy/ratelimit takes. What it reads was recorded from its reader of YAML
 * (gopkg.in/yaml.v2, 2.4.0) and from its check of the result.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Rule } from "../../../src/index.ts";
import { type Level, listRules, nodesOf } from "../../../src/rules/rules.ts";
import { problemsOf, rulesOf } from "../../support/rules.ts";
import { descriptor, send, serve } from "../../support/service.ts";

const PAGE = readFileSync(new URL("../../../../../docs/service/envoy.md", import.meta.url), "utf8");

/** The only rule of a file. */
function ruleOf(text: string): Rule {
  const [rule] = listRules(rulesOf(text));
  if (rule === undefined) throw new Error("no rule");
  return rule;
}

const limited = (requests: string) =>
  `domain: d\ndescriptors:\n  - key: k\n    rate_limit: { unit: day, requests_per_unit: ${requests} }\n`;
const shadowed = (text: string) => `${limited("1")}    shadow_mode: ${text}\n`;
const described = (metadata: string) => `${limited("1")}    metadata: { a: ${metadata} }\n`;

describe("booleans", () => {
  const YES = ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"];
  const NO = ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE", "~", ""];

  it.each(YES)("%s is true", (text) => {
    expect(ruleOf(shadowed(text)).shadow).toBe(true);
    expect(ruleOf(described(text)).metadata).toEqual({ a: true });
  });

  it.each(NO)("%j is false", (text) => {
    expect(ruleOf(shadowed(text)).shadow).toBe(false);
  });

  it.each(['"yes"', "yEs", "1", "'on'"])("%s is none", (text) => {
    expect(problemsOf(shadowed(text))).toMatchObject([{ code: "wrong-type", line: 5, column: 18 }]);
  });

  it("are none, and no numbers, where they are said to be texts", () => {
    expect(problemsOf(shadowed("!!str yes"))).toMatchObject([{ code: "wrong-type", column: 24 }]);
    expect(problemsOf(limited("!!str 5"))).toMatchObject([{ code: "bad-requests-per-unit" }]);
  });

  it("are texts as they are written where a text is expected", () => {
    const text = limited("1").replace("key: k", "key: on\n    value: No");
    expect(ruleOf(text).path).toMatchObject([{ key: "on", value: "No" }]);
  });
});

describe("requests_per_unit", () => {
  it.each([
    ["0x10", 16],
    ["0X1f", 31],
    ["1_000", 1000],
    ["1__0", 10],
    ["1_", 1],
    ["0o17", 15],
    ["0b11", 3],
    ["0x_1", 1],
    ["+5", 5],
    ["0", 0],
  ])("%s is %d", (text, requests) => {
    expect(ruleOf(limited(text)).limit).toMatchObject({ rate: requests });
  });

  it.each(["-5", '"5"', "_1", "1:30", "0b12", "1e3", "1.0", "5.", "08", "yes"])(
    "%s is refused, there as here",
    (text) => {
      const place = { code: "bad-requests-per-unit", line: 4, column: 49 };
      expect(problemsOf(limited(text))).toMatchObject([place]);
    },
  );

  it.each(["010", "0_1", "00"])("%s is refused, for readers differ: the hint says why", (text) => {
    expect(problemsOf(limited(text))[0]?.hint).toContain("as octal");
  });
});

describe("metadata", () => {
  it.each([
    ["0x10", 16],
    ["1_000", 1000],
    ["-1_0.5", -10.5],
    ["0b1", 1],
    ["1e3", 1000],
    ["2020-01-01", "2020-01-01"],
    ['"yes"', "yes"],
    ["!!str yes", "yes"],
    ["1:30", "1:30"],
    ["_1", "_1"],
    ["~", null],
  ])("%s is %j", (text, value) => {
    expect(ruleOf(described(text)).metadata).toEqual({ a: value });
  });

  it.each(["010", ".inf", ".nan"])("%s is refused", (text) => {
    expect(problemsOf(described(text))).toMatchObject([{ code: "wrong-type", line: 5 }]);
  });

  it("has what << merges", () => {
    const text = described("{ b: &b { x: 1, z: 2 }, c: { <<: *b, z: 3 } }");
    expect(ruleOf(text).metadata).toEqual({ a: { b: { x: 1, z: 2 }, c: { x: 1, z: 3 } } });
  });
});

describe("<<", () => {
  const merging = (...lines: readonly string[]) =>
    `domain: d\ndescriptors:\n  - ${lines.join("\n    ")}\n`;
  const LIMIT = "rate_limit: { unit: day, requests_per_unit: 1 }";

  it.each([
    ["a map", ["<<: { key: a, value: b }", LIMIT], { key: "a", value: "b" }],
    [
      "a map that it overrides",
      ["<<: { key: a, value: b }", "key: c", LIMIT],
      { key: "c", value: "b" },
    ],
    [
      "maps, the first first",
      ["<<: [{ key: a }, { key: b, value: v }]", LIMIT],
      { key: "a", value: "v" },
    ],
    ["maps that merge", ["<<: { <<: { key: a }, value: b }", LIMIT], { key: "a", value: "b" }],
  ])("merges %s", (_what, lines, part) => {
    expect(ruleOf(merging(...lines)).path).toMatchObject([part]);
  });

  it("merges what an alias stands for, in limits too", async () => {
    const server = await serve(`
domain: shop
descriptors:
  - &base
    key: user
    value: ann
    rate_limit: &limit { unit: day, requests_per_unit: 2 }
  - <<: *base
    value: bob
  - <<: *base
    value: eve
    rate_limit: { <<: *limit, requests_per_unit: 1 }
`);
    const left = async (user: string) => {
      const descriptors = [descriptor(`user=${user}`)];
      const { body } = await send(server, "/v1/limit", { domain: "shop", descriptors });
      return body.remaining;
    };
    expect([await left("ann"), await left("bob"), await left("eve")]).toEqual([1, 1, 0]);
  });

  it.each([
    [
      "after a field that it would override",
      ["key: a", "<<: { key: b }"],
      "duplicate-field",
      4,
      "a second",
    ],
    ["twice", ["<<: { key: a }", "<<: { value: b }"], "duplicate-field", 4, "a second <<"],
    ["a number", ["key: a", "<<: 5"], "wrong-type", 4, "5"],
    ["a list with one", ["key: a", "<<: [{ value: b }, 5]"], "wrong-type", 4, "5"],
    ["nothing", ["key: a", "<<:"], "wrong-type", 4, "nothing"],
    ["in quotes", ["key: a", '"<<": { value: b }'], "unknown-field", 4, "<<"],
  ])("is refused %s, at its place", (_what, lines, code, line, found) => {
    const problems = problemsOf(merging(...lines, LIMIT));
    expect(problems).toMatchObject([{ code, line, column: expect.any(Number) }]);
    expect(problems[0]?.found).toContain(found);
  });

  it.each([
    ["rate_limit", "{ unit: day, requests_per_unit: 2 }", "{ unit: hour }", "requests_per_unit"],
    ["metadata", "{ a: 1, b: 2 }", "{ b: 3, c: 4 }", "a"],
  ])("is refused beside a %s that it would complete there", (name, base, own, part) => {
    const problems = problemsOf(merging(`<<: { ${name}: ${base} }`, "key: a", `${name}: ${own}`));
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: "duplicate-field",
        line: 5,
        found: `a second "${name}", without the "${part}" of the one that << merges`,
      }),
    );
    const whole = merging(`<<: { ${name}: ${base} }`, "key: a", `${name}: ${base}`);
    expect(problemsOf(whole)).toEqual([]);
  });

  it("has mistakes at the place where they are written, once", () => {
    const text = merging("&a { key: a, vaule: b }");
    const twice = `${text}  - <<: *a\n    key: b\n  - <<: *a\n    key: c\n`;
    expect(problemsOf(twice)).toMatchObject([{ code: "unknown-field", line: 3, column: 18 }]);
  });
});

describe("what envoyproxy/ratelimit takes and is refused here", () => {
  const second = "---\ndomain: e\n";
  it.each([
    ["a second document", limited("1") + second, "bad-yaml", 5],
    ["a field twice", limited("1").replace("key: k", "key: k\n    key: j"), "duplicate-field", 4],
    ["numbers that begin with 0", limited("010"), "bad-requests-per-unit", 4],
    ["above 1 000 000 000", limited("4294967295"), "bad-requests-per-unit", 4],
    [
      "`<<` below a field",
      limited("1").replace("key: k", "key: k\n    <<: { key: j }"),
      "duplicate-field",
      4,
    ],
    ["`.inf`", described(".inf"), "wrong-type", 5],
    [
      "where it means nothing",
      limited("1").replace("key: k", "key: k\n    unit: day"),
      "unknown-field",
      4,
    ],
    [
      "only the key has a `*`",
      limited("1").replace("key: k", "key: k*\n    share_threshold: true"),
      "nothing-to-share",
      4,
    ],
  ])("%s: it is refused at its line, and listed", (words, text, code, line) => {
    expect(problemsOf(text)).toMatchObject([{ code, line }]);
    const [, table = ""] =
      /## Rule files that are refused here\n([\s\S]*?)(?:\n## |$)/.exec(PAGE) ?? [];
    expect(table).toContain(words);
  });

  it("is not the mark of an end", () => {
    for (const end of ["---\n", "...\n", "---\n# The end\n", "--- ~\n"]) {
      expect(problemsOf(limited("1") + end)).toEqual([]);
    }
    expect(problemsOf(`---\n${limited("1")}---\n---\n`)).toMatchObject([{ code: "bad-yaml" }]);
  });
});

it("an unlimited rule may have requests_per_unit, which is warned of", () => {
  const text = limited("5").replace("unit: day", "unlimited: true");
  expect(ruleOf(text).limit).toBe("unlimited");
  expect(rulesOf(text).warnings).toMatchObject([{ code: "ignored-rate", line: 4 }]);
});

type Recorded = { readonly text: string; readonly rules: readonly object[] };

const RECORDED: readonly Recorded[] = JSON.parse(
  readFileSync(new URL("./fixtures/upstream-yaml.json", import.meta.url), "utf8"),
);

/** The codes of what the page lists. */
const LISTED = [
  "bad-requests-per-unit",
  "bad-unit",
  "bad-yaml",
  "duplicate-field",
  "empty-key",
  "unlimited-with-limit",
  "wrong-type",
];

describe("files that were made by chance, and what envoyproxy/ratelimit reads in them", () => {
  it.each(RECORDED)(
    "is read here, or refused for a reason that is listed: $text",
    ({ text, rules }) => {
      const problems = problemsOf(text);
      for (const { code } of problems) expect(LISTED).toContain(code);
      if (problems.length > 0) return;
      const [level] = rulesOf(text).domains.values();
      expect(level && readIn(level)).toEqual(expect.arrayContaining([...rules]));
      expect(level && readIn(level)).toHaveLength(rules.length);
    },
  );

  it("are mostly read", () => {
    const read = RECORDED.filter(({ text }) => problemsOf(text).length === 0);
    expect(read).toHaveLength(100);
  });
});

/** The rules of a level in the words of the recording. */
function readIn(level: Level): readonly object[] {
  const rules = nodesOf(level).flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  return rules.map(({ path: [part], limit, label, shadow, quota, metadata, metric }) => ({
    key: part?.key,
    value: part?.value,
    shadow,
    quota,
    vtm: metric.levels[0],
    name: label,
    limit:
      typeof limit === "object" && "rate" in limit
        ? [limit.rate, Number(limit.period) / 1000]
        : limit,
    metadata,
  }));
}
