/** Parameters and cookies by name, and patterns of values. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { automatonOf, matchesAll } from "../../../src/rules/http/automaton.ts";
import { cookiesIn, Parameters, TooManyParts } from "../../../src/rules/http/named-parts.ts";
import { problemsOf } from "../../support/rules.ts";

describe("parameters", () => {
  const piece = fc.constantFrom("a", "%61", "%C3%A4", "+", "%", "%zz", "=", "&", "b", "%00", "%2B");

  it("are those of URLSearchParams", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const query = pieces.join("");
        const parameters = new Parameters(query);
        const known = new URLSearchParams(query);
        for (const name of [...known.keys(), "none"]) {
          expect(parameters.get(name)).toBe(known.get(name) ?? undefined);
        }
      }),
    );
  });

  it("and cookies are at most 256", () => {
    expect(new Parameters(`${"a&".repeat(255)}b=1`).get("b")).toBe("1");
    expect(() => new Parameters(`${"a&".repeat(256)}b=1`)).toThrow(TooManyParts);
    expect(cookiesIn(`${"a;".repeat(255)}b=1`).get("b")).toBe("1");
    expect(() => cookiesIn(`${"a;".repeat(256)}b=1`)).toThrow(TooManyParts);
  });
});

describe("a pattern", () => {
  it("matches what a RegExp of the whole text matches", () => {
    const patterns = [
      "a|b",
      "(a|b)*abb?",
      "[^a]+",
      ".{2,4}",
      "(?:a.)*",
      "\\d+[a-c]?",
      "",
      "a\\.b",
      "[ä-ü]+",
    ];
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", ".", "ä", "\n"), maxLength: 8 });
    fc.assert(
      fc.property(
        fc.constantFrom(...patterns),
        text,
        fc.boolean(),
        (pattern, value, ignoresCase) => {
          const automaton = automatonOf(pattern, { ignoresCase });
          const whole = new RegExp(`^(?:${pattern})$`, ignoresCase ? "is" : "s");
          expect(matchesAll(automaton, value)).toBe(whole.test(value));
        },
      ),
    );
  });

  it("may ignore the case, and matches no character beyond Latin-1", () => {
    const automaton = automatonOf("google.*", { ignoresCase: true });
    expect([matchesAll(automaton, "GoogleBot"), matchesAll(automaton, "google\u{1F600}")]).toEqual([
      true,
      false,
    ]);
  });

  it("takes each character once, where others would try again and again", () => {
    const automaton = automatonOf("(x+x+)+y", { ignoresCase: false });
    expect(matchesAll(automaton, "x".repeat(100_000))).toBe(false);
  });

  it.each([
    "^a",
    "a$",
    "\\bbot",
    "(?=a)a",
    "(?<!a)b",
    "(a|b)*\\1",
    "(",
    "[b-a]",
    ".*a.{40}b",
    "x".repeat(501),
  ])("%s is refused", (pattern) => {
    const regex = JSON.stringify(pattern);
    const header = `{ name: a, string_match: { safe_regex: { regex: ${regex} } } }`;
    const action = `{ header_value_match: { descriptor_value: v, headers: [${header}] } }`;
    const problems = problemsOf(`domain: d\nhttp: [{ actions: [${action}] }]`);
    expect(problems).toMatchObject([{ code: "bad-action" }]);
    expect(problems[0]?.expected).toContain("without ^, $");
  });

  it("is one of at most 30", () => {
    const header = "{ name: a, string_match: { safe_regex: { regex: a } } }";
    const of = (count: number) => {
      const headers = new Array(count).fill(header);
      const action = `{ header_value_match: { descriptor_value: v, headers: [${headers}] } }`;
      return problemsOf(`domain: d\nhttp: [{ actions: [${action}] }]`).map(({ found }) => found);
    };
    expect([of(30), of(31)]).toEqual([[], ["31 patterns in safe_regex in a domain"]]);
  });
});
