/** Rule files made to be expensive: what they cost, and what is said of them, is bounded. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RuleCode } from "../../src/error-codes.ts";
import { Command } from "../support/command.ts";
import { problemsOf, refusalOf } from "../support/rules.ts";

const LONGEST = 1024 * 1024;

/** A text of 1 MiB: a beginning, and one piece again and again. */
function full(head: string, piece: string | ((index: number) => string)): string {
  const pieces = [head];
  let length = head.length;
  for (let index = 0; ; index++) {
    const next = typeof piece === "string" ? piece : piece(index);
    length += next.length;
    if (length > LONGEST) return pieces.join("");
    pieces.push(next);
  }
}

const list = (piece: string | ((index: number) => string)) =>
  full("domain: d\ndescriptors: [", piece);
const long = "k".repeat(4000);
const few = (n: number, piece: string) => (n < 20_000 ? piece : "#".repeat(LONGEST));

/** What each file is told first. */
const HOSTILE: readonly (readonly [string, RuleCode, string])[] = [
  ["errors within one text", "bad-yaml", full('domain: "', "\\q")],
  ["errors between texts", "bad-yaml", full("", '"\n')],
  ["closing brackets", "bad-yaml", full("", "]")],
  ["opening brackets", "too-deep", full("", "[")],
  ["opening braces", "too-deep", full("domain: {", "a: {")],
  ["dashes", "too-deep", full("", "- ")],
  ["empty lists", "too-many-tokens", list("[],")],
  ["comments", "too-many-tokens", full("domain: d\n", "#\n")],
  ["line ends", "too-many-tokens", full("domain: d\n", "\n")],
  ["tags", "too-many-tokens", list("!t a,")],
  ["unknown fields", "unknown-field", full("domain: d\n", (n) => `${n}${"x".repeat(90)}: 1\n`)],
  ["directives", "bad-yaml", full("", "%A\n")],
  ["documents", "bad-yaml", full("", "---\n")],
  ["one text", "too-long", full("domain: ", "x")],
  ["one number", "too-long", full("domain: 0.", "1")],
  ["one alias", "bad-yaml", full("domain: *", "x")],
  [
    "anchors of aliases",
    "unknown-field",
    full("domain: d\na0: &a0 [x]\n", (n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n}]\n`),
  ],
  [
    "merges of merges",
    "too-many-fields",
    full("domain: d\ndescriptors:\n- &a0 {key: k, value: v}\n", (n) =>
      n < 5000 ? `- &a${n + 1} {<<: [*a${n},*a${n},*a${n}], key: k${n}}\n` : "#".repeat(LONGEST),
    ),
  ],
  ["a merge of itself", "too-deep", full("domain: d\ndescriptors: [&a {<<: *a, key: k}]\n", "#")],
  [
    "long names that aliases repeat",
    "too-long",
    full(`domain: d\ndescriptors:\n- key: &a ${long}\n`, (n) =>
      few(n, `- {key: *a, value: ${n}}\n`),
    ),
  ],
  [
    "long names of levels above",
    "too-long",
    full(`domain: d\ndescriptors:\n- key: ${long}\n  descriptors:\n`, (n) =>
      few(n, `  - key: ${n}\n`),
    ),
  ],
  [
    "one wrong limit that aliases repeat",
    "bad-unit",
    full(
      `domain: d\ndescriptors:\n- &a {key: a, rate_limit: {unit: ${"eon".repeat(33)}}}\n`,
      (n) => (n < 90_000 ? "- *a\n" : "#".repeat(LONGEST)),
    ),
  ],
];

/** Those of each sort that take the most memory. */
const GREEDY = ["errors within one text", "empty lists", "anchors of aliases"];

describe("a rule file of 1 MiB that is hostile", () => {
  it.each(HOSTILE)("%s: %s", (_name, code, text) => {
    const problems = problemsOf(text);
    expect(problems[0]?.code).toBe(code);
    expect(problems.length).toBeLessThanOrEqual(100);
    for (const { found, expected, hint = "" } of problems) {
      expect(found.length + expected.length + hint.length).toBeLessThan(1000);
    }
  });

  it("costs a process a bounded amount of memory", async () => {
    const directory = mkdtempSync(join(tmpdir(), "spillway-hostile-"));
    for (const [name, , text] of HOSTILE.filter(([name]) => GREEDY.includes(name))) {
      writeFileSync(join(directory, `${name}.yaml`), text);
    }
    // In megabytes. It is the process that dies if it needs more.
    const command = new Command(["check", directory], { NODE_OPTIONS: "--max-old-space-size=256" });
    expect(await command.ended()).toBe(1);
    rmSync(directory, { recursive: true });
    const lines = command.stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toMatch(/^and \d{6,} more$/);
  });
});

describe("more mistakes than anybody reads", () => {
  const wrong = (count: number) =>
    `domain: d\n${Array.from({ length: count }, (_, n) => `a${n}: 1\n`).join("")}`;

  it("are counted, and the first hundred described", () => {
    const { problems, more, message } = refusalOf(wrong(20_000));
    expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2));
    expect(more).toBe(19_900);
    expect(message.split("\n").at(-1)).toBe("and 19900 more");
  });

  it("are all described where they are a hundred", () => {
    const { problems, more, message } = refusalOf(wrong(100));
    expect([problems.length, more]).toEqual([100, 0]);
    expect(message).not.toContain("more");
  });

  it("are counted over all files", () => {
    // The second has one more: the domain is the first one's.
    const { problems, more } = refusalOf(wrong(60), wrong(60));
    expect(problems.map(({ file }) => file)).toEqual([
      ...Array(60).fill("1.yaml"),
      ...Array(40).fill("2.yaml"),
    ]);
    expect(more).toBe(21);
  });

  it("are counted where the text is no YAML", () => {
    const { problems, more } = refusalOf(`domain: "${"\\q".repeat(1000)}"`);
    expect([problems.length, more]).toEqual([100, 900]);
  });

  it("do not hide that there is no domain", () => {
    const text = `descriptors: [${"5, ".repeat(500)}]`;
    expect(problemsOf(text)[0]?.code).toBe("empty-domain");
  });
});
