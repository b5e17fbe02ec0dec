import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RULE_CODES, type RuleCode } from "../../src/error-codes.ts";
import { describeProblem } from "../../src/index.ts";
import { problemsOf } from "../support/rules.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);

function fixture(name: string): string {
  return readFileSync(new URL(`${name}.yaml`, FIXTURES), "utf8");
}

/** What each bad file is told: its place, and a part of the message. */
const ONE_MISTAKE: readonly (readonly [RuleCode, number, number, string])[] = [
  ["bad-action", 4, 15, "found remote_address and method in one item, expected one of"],
  ["bad-also", 7, 7, "expected a rate_limit in a descriptor above this one"],
  ["bad-capacity", 9, 17, "found -1, expected a whole number from 0 to 1000000000"],
  ["bad-field-name", 4, 1, "found 0.25"],
  ["bad-jitter", 8, 15, 'found 500, expected a text such as "90s"'],
  ["bad-jwt-provider", 4, 53, "without a user; http only on this machine"],
  ["bad-kind", 6, 13, "Did you mean token bucket?"],
  ["bad-match", 4, 22, 'found "shop.example:8080", expected names of hosts without a port'],
  ["bad-max-reserved", 8, 21, "Without it none can be taken ahead of time"],
  ["bad-mode", 8, 13, 'Put it in quotes: "off"'],
  ["bad-path", 4, 20, "For all paths below one, write prefix: /api"],
  ["bad-penalty", 8, 25, "found 0, expected a whole number from 1 to 1000000 as after"],
  ["bad-period", 6, 15, 'such as "90s"'],
  ["bad-replaces", 9, 17, 'found the limit\'s own "per user"'],
  ["bad-requests-per-unit", 7, 26, "write unlimited: true"],
  ["bad-shards", 8, 15, "from 1 to 1000"],
  ["bad-share", 8, 14, "90s"],
  ["bad-start", 8, 14, 'expected per key, or an instant such as "2026-01-05"'],
  ["bad-ttl", 7, 12, 'such as "90s"'],
  ["bad-unit", 6, 13, "Did you mean minute?"],
  ["bad-when-unavailable", 8, 25, "one of closed, open, local"],
  ["bad-yaml", 5, 1, "quote"],
  ["duplicate-descriptor", 7, 5, "expected only the one in line 4"],
  ["duplicate-field", 4, 1, "found a second domain, expected only the one in line 2"],
  ["empty-domain", 2, 1, "such as domain: shop"],
  ["empty-key", 4, 5, "found no key"],
  ["field-of-other-kind", 8, 7, "expected no ttl if the kind is fixed window"],
  ["inexact-limit", 5, 5, "computed exactly"],
  ["nothing-to-share", 6, 5, "expected a value with * beside it"],
  ["too-deep", 35, 65, "17 levels of descriptors, expected at most 16"],
  ["too-many-fields", 4, 99, "at most 200000"],
  ["unit-and-period", 7, 7, "expected either unit or period"],
  ["unknown-field", 5, 5, "Did you mean rate_limit?"],
  ["unlimited-with-limit", 7, 7, "Leave out either unit or unlimited"],
  ["wrong-type", 4, 5, 'found "user", expected a descriptor'],
];

describe("a rule file with one mistake", () => {
  it.each(ONE_MISTAKE)("%s is told once, at its place", (code, line, column, part) => {
    const problems = problemsOf(fixture(code));
    expect(problems).toMatchObject([{ file: "1.yaml", code, line, column }]);
    expect(problems.map(describeProblem).join()).toContain(part);
  });

  it("duplicate-domain is told at the second file's place", () => {
    const problems = problemsOf(fixture("duplicate-domain.first"), fixture("duplicate-domain"));
    const place = { file: "2.yaml", line: 2, column: 9, code: "duplicate-domain" };
    expect(problems).toMatchObject([{ ...place, expected: "only the one in 1.yaml" }]);
  });

  it("file-too-large is told before anything is read", () => {
    const problems = problemsOf(`domain: shop\n# ${"é".repeat(524_288)}\nnot: [yaml`);
    expect(problems).toMatchObject([{ code: "file-too-large", line: 1, column: 1 }]);
  });

  it("has a fixture for every code", () => {
    const names = readdirSync(FIXTURES).map((name) => name.replace(".yaml", ""));
    const made = ["file-too-large", "too-long", "too-many-tokens"];
    const others = ["duplicate-domain.first", "many-errors"];
    expect([...names, ...made].toSorted()).toEqual([...RULE_CODES, ...others].toSorted());
  });
});

describe("rule files with many mistakes", () => {
  it("are told all of them, from the top down", () => {
    const places = problemsOf(fixture("many-errors")).map(
      ({ line, column, code }) => `${line}:${column} ${code}`,
    );
    expect(places).toEqual([
      "5:5 unknown-field",
      "7:13 bad-unit",
      "8:26 bad-requests-per-unit",
      "9:5 empty-key",
      "10:5 duplicate-descriptor",
      "11:5 nothing-to-share",
      "16:21 wrong-type",
      "17:9 wrong-type",
      "20:17 bad-kind",
      "21:19 bad-period",
      "22:21 bad-capacity",
      "23:30 bad-requests-per-unit",
      "24:1 unknown-field",
    ]);
  });

  it("are told the mistakes of every file", () => {
    const problems = problemsOf(fixture("empty-key"), fixture("bad-unit"));
    expect(problems.map(({ file, code }) => `${file} ${code}`)).toEqual([
      "1.yaml empty-key",
      "2.yaml duplicate-domain",
      "2.yaml bad-unit",
    ]);
  });

  it("are told a mistake behind an alias once", () => {
    const text = `
domain: d
descriptors:
  - { key: a, rate_limit: &wrong { unit: eon } }
  - { key: b, rate_limit: *wrong }
`;
    expect(problemsOf(text)).toMatchObject([{ code: "bad-unit", line: 4, column: 42 }]);
  });
});

/** The one thing that is wrong with a limit. */
function codesOf(rateLimit: string): readonly string[] {
  const text = `domain: d\ndescriptors: [{ key: k, rate_limit: ${rateLimit} }]`;
  return problemsOf(text).map(({ code }) => code);
}

describe("a rate limit", () => {
  it.each([
    "1.5",
    "-1",
    '"5"',
    "1e3",
    "010",
    ".nan",
    ".inf",
    "true",
    "[5]",
    "1000000001",
    "99999999999999999999",
  ])("of %s requests is refused", (requests) => {
    const code = "bad-requests-per-unit";
    expect(codesOf(`{ unit: day, requests_per_unit: ${requests} }`)).toEqual([code]);
  });

  it.each([
    ["{}", "bad-unit"],
    ["{ requests_per_unit: 5 }", "bad-unit"],
    ["{ unit: null, requests_per_unit: 5 }", "bad-unit"],
    ["{ unit: [day], requests_per_unit: 5 }", "bad-unit"],
    ["{ unlimited: false }", "bad-unit"],
    ["{ unlimited: yes, unit: day }", "unlimited-with-limit"],
    ["{ unlimited: true, unit: day }", "unlimited-with-limit"],
    ["{ unlimited: true, kind: token bucket }", "unlimited-with-limit"],
    ["{ unlimited: true, shards: 2 }", "unlimited-with-limit"],
    ["{ unit: day, name: a, replaces: [{ name: a }] }", "bad-replaces"],
    ["{ unit: day, replaces: [{}] }", "bad-replaces"],
    ["{ unit: day, replaces: a }", "wrong-type"],
    ["{ unit: day, ttl: 5s }", "field-of-other-kind"],
    ["{ kind: sliding log, unit: day, max_reserved: 5 }", "field-of-other-kind"],
    ["{ kind: leaky bucket, unit: day, requests_per_unit: 9, shards: 2 }", "field-of-other-kind"],
    ["{ kind: concurrency, capacity: 5, ttl: 5s, unit: day }", "field-of-other-kind"],
    ["{ kind: concurrency, ttl: 5s }", "bad-capacity"],
    ["{ kind: concurrency, capacity: 5 }", "bad-ttl"],
    ["{ unit: day, requests_per_unit: 5, shards: 6 }", "bad-shards"],
    ["{ unit: day, requests_per_unit: 5, shards: 0 }", "bad-shards"],
    ["{ unit: minute, requests_per_unit: 5, share: 2h }", "bad-share"],
    ["{ unit: day, requests_per_unit: 5, share: 50ms }", "bad-share"],
    ["{ unit: day, requests_per_unit: 5, share: 1h, shards: 2 }", "bad-share"],
    ["{ unlimited: true, share: 1h }", "unlimited-with-limit"],
    ["{ unlimited: true, start: per key }", "unlimited-with-limit"],
    ["{ unlimited: true, jitter: 1s }", "unlimited-with-limit"],
    ["{ unit: day, requests_per_unit: 5, jitter: soon }", "bad-jitter"],
    ["{ unit: day, requests_per_unit: 5, jitter: 367d }", "bad-jitter"],
    ["{ unit: day, requests_per_unit: 5, start: 0 }", "bad-start"],
    ["{ unit: day, requests_per_unit: 5, start: now }", "bad-start"],
    ["{ unit: day, requests_per_unit: 5, start: 2026-13-01 }", "bad-start"],
    ["{ unit: day, requests_per_unit: 5, start: 2025-02-29 }", "bad-start"],
    ['{ unit: day, requests_per_unit: 5, start: "2026-01-05T06:00" }', "bad-start"],
    ['{ unit: day, requests_per_unit: 5, start: "2026-01-05T25:00Z" }', "bad-start"],
    ["{ unit: day, requests_per_unit: 5, start: [per key] }", "bad-start"],
    [
      "{ kind: token bucket, unit: day, requests_per_unit: 5, start: per key }",
      "field-of-other-kind",
    ],
    [
      "{ kind: sliding log, unit: day, requests_per_unit: 5, start: per key }",
      "field-of-other-kind",
    ],
    [
      "{ kind: leaky bucket, unit: day, requests_per_unit: 5, start: per key }",
      "field-of-other-kind",
    ],
    ["{ kind: concurrency, capacity: 5, ttl: 5s, start: per key }", "field-of-other-kind"],
    ["{ kind: sliding log, unit: day, requests_per_unit: 5, share: 1h }", "field-of-other-kind"],
    ["{ period: 367d, requests_per_unit: 5 }", "bad-period"],
    ["{ period: 0s, requests_per_unit: 5 }", "bad-period"],
    ["{ kind: [], unit: day, requests_per_unit: 5 }", "bad-kind"],
    ["{ kind: sliding log, unit: day, requests_per_unit: 5, capacity: 6 }", "bad-capacity"],
    ["{ unit: day, capacity: 6 }", "bad-capacity"],
    ["{ kind: fixed window, unit: year, requests_per_unit: 1, capacity: 150000 }", "inexact-limit"],
    ["{ name: 1.5, unit: day }", "wrong-type"],
    ["5", "wrong-type"],
    ["[]", "wrong-type"],
  ])("%s is %s", (rateLimit, code) => {
    expect(codesOf(rateLimit)).toEqual([code]);
  });
});

describe("a priority", () => {
  it("is said to have its place elsewhere, wherever it stands", () => {
    for (const text of [
      "domain: d\npriority: low\n",
      "domain: d\ndescriptors: [{ key: k, priority: low }]\n",
      "domain: d\ndescriptors: [{ key: k, rate_limit: { unit: day, priority: low } }]\n",
    ]) {
      expect(problemsOf(text)).toMatchObject([
        { code: "unknown-field", hint: expect.stringContaining("spillway/shedding") },
      ]);
    }
  });
});

describe("a field in the wrong map", () => {
  it.each([
    ["{ key: k, unit: day }", "unit belongs in rate_limit"],
    ["{ key: k, rate_limit: { unit: day, shadow_mode: true } }", "belongs in a descriptor"],
    ["{ key: k, domain: d }", "domain belongs in a rule file"],
  ])("%s: %s", (descriptor, hint) => {
    const problems = problemsOf(`domain: d\ndescriptors: [${descriptor}]`);
    expect(problems).toMatchObject([{ code: "unknown-field" }]);
    expect(problems[0]?.hint).toContain(hint);
  });
});

describe("metadata", () => {
  it.each([
    ["[a]", "wrong-type"],
    ["{ when: .nan }", "wrong-type"],
    ["{ [a]: b }", "bad-field-name"],
    [`${"{ a: ".repeat(34)}b${" }".repeat(34)}`, "too-deep"],
  ])("%s is %s", (metadata, code) => {
    const text = `domain: d\ndescriptors: [{ key: k, metadata: ${metadata} }]`;
    expect(problemsOf(text).map((problem) => problem.code)).toEqual([code]);
  });
});

describe("YAML that is no rule file", () => {
  it.each([
    ["", "empty-domain"],
    ["# nothing\n", "empty-domain"],
    ["descriptors:\n", "empty-domain"],
    ["domain:\n", "empty-domain"],
    ["- domain: d\n", "wrong-type"],
    ["d", "wrong-type"],
    ["domain: [d]\n", "wrong-type"],
    ["domain: 1.5\n", "wrong-type"],
    ["domain: d\ndescriptors: {}\n", "wrong-type"],
    ["domain: d\ndescriptors: [[]]\n", "wrong-type"],
    ["domain: d\ndescriptors: [null]\n", "wrong-type"],
    ["domain: d\ndescriptors: [{ key: [a] }]\n", "wrong-type"],
    ["domain: d\n? [a]\n: b\n", "bad-field-name"],
    ["domain: d\ntrue: b\n", "bad-field-name"],
    ["domain: d\n__proto__: b\n", "unknown-field"],
    ["domain: d\n---\ndomain: e\n", "bad-yaml"],
    ["domain: *nowhere\n", "bad-yaml"],
    ["domain: !secret d\n", "bad-yaml"],
    ["\tdomain: d\n", "bad-yaml"],
  ])("%j is %s", (text, code) => {
    expect(problemsOf(text).map((problem) => problem.code)).toEqual([code]);
  });

  it("does not follow itself for ever", () => {
    const text = "domain: d\ndescriptors: &all\n  - key: k\n    descriptors: *all\n";
    expect(problemsOf(text)).toMatchObject([{ code: "too-deep" }]);
  });

  it("is not read however deep", () => {
    expect(problemsOf("[".repeat(20_000))).toMatchObject([{ code: "too-deep" }]);
  });
});
