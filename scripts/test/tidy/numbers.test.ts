/** The numbers of the house, which may only fall. */
import { describe, expect, test } from "vitest";
import { LIMITS, lowered, numbers, numbersOf, table } from "../../tidy/numbers.ts";
import { type Files, findings, SRC } from "./findings.ts";

const house: Files = {
  "packages/spillway/package.json": `{ "exports": {
    ".": { "default": "./dist/index.js" },
    "./core": { "default": "./dist/limits/core/index.js" }
  } }`,
  [`${SRC}/index.ts`]: `export { a, type B as C } from "./limits/core/index.ts";\nexport const d = 1;`,
  [`${SRC}/limits/core/index.ts`]: `export * from "./words.ts";\nexport type { C } from "./words.ts";`,
  [`${SRC}/limits/core/words.ts`]: `/** A word.\n * Or two.\n */\nexport function a() {\n  // Why.\n\n  return 1;\n}\nexport type B = 1;`,
  [`${SRC}/limiter/take.ts`]: `import "../limits/core/index.ts";\nconst x = 1 as unknown as string;`,
  [`${SRC}/stores/a.lua`]:
    "local x = 1\nlocal function f()\n  return 1\nend\nx = 2\nx = 3\nx = 4\nx = 5\n",
  [`${SRC}/stores/a.sql`]: "create function f() as $$\nbegin\n  return 1;\nend;\n$$;\n",
};
const numbersIn = (changed: Files = {}) =>
  numbersOf(new Map(Object.entries({ ...house, ...changed })));

describe("numbers", () => {
  test("count pairs of rooms, lines, names and forced types", () => {
    expect(numbersIn()).toMatchObject({
      "pairs of rooms that import each other, spillway": 2,
      "lines of the library's code": 10,
      "exported names": 4,
      "exported names of spillway/core": 3,
      "types that are forced (as unknown as)": 1,
      "lines of the longest file": 9,
      "lines of the longest function, TypeScript": 5,
      "lines of the longest function, Lua": 4,
      "lines of the longest function, SQL": 3,
    });
  });

  test.each([
    ["function f(a: string, b: string) {}", 1],
    ["type F = (a: number, b: number) => void;", 1],
    ["interface I { f(a: boolean, b: boolean): void }", 1],
    ["const f = (a: number, b = 1, c: number, d: number) => 1;", 1],
    ["function f(a: string, b: number, c: string) {}", 0],
    ["const f = (a, b) => 1;", 0],
  ])("count arguments that can be swapped: %s", (text, expected) => {
    const name = "signatures with neighbours of one primitive type";
    expect(numbersIn({ [`${SRC}/limiter/take.ts`]: text })[name]).toBe(expected);
  });

  test("leave out what is generated, and testing's lines", () => {
    const more = {
      [`${SRC}/a.generated.ts`]: "let a = 1 as unknown as 2;",
      [`${SRC}/testing/a.ts`]: "1;",
    };
    expect(numbersIn(more)).toEqual(numbersIn());
  });

  test("may only fall", () => {
    const limited = (most: number) =>
      findings(numbers, { ...house, [LIMITS]: `{ "exported names": ${most} }` });
    expect(limited(4)).toEqual([]);
    expect(limited(3)).toEqual([
      `${LIMITS}:1  found 4 exported names, expected at most 3, as before; or raise it in that file, and say why in the commit`,
    ]);
  });

  test("are kept where they have fallen, and printed", () => {
    const tree = new Map(Object.entries({ ...house, [LIMITS]: `{ "exported names": 9 }` }));
    expect(table(tree)).toContain("| exported names | 4 | 9 |");
    const { "lines of the library's code": _, ...bounded } = numbersIn();
    expect(JSON.parse(lowered(tree))).toEqual(bounded);
    const raised = new Map(Object.entries({ ...house, [LIMITS]: `{ "exported names": 3 }` }));
    expect(JSON.parse(lowered(raised))["exported names"]).toBe(3);
  });
});

describe("numbers of prose", () => {
  const of = (text: string) => numbersIn({ [`${SRC}/limiter/take.ts`]: text });

  test("count docstrings that begin with a clause, and long sentences", () => {
    const long = Array.from({ length: 31 }, () => "word").join(" ");
    const text = `/** What a lease is. */\nlet a;\n/**\n * Ofno.\n *\n * ${long}. Short.\n */\nlet b;`;
    expect(of(text)).toMatchObject({
      "docstrings that begin with What, Who, Whom, Whose or Of": 1,
      "sentences of docstrings over 30 words": 1,
    });
  });

  test("count lines of over 100 columns", () => {
    expect(of(`${"x".repeat(100)}\n${"x".repeat(101)}`)["lines over 100 columns"]).toBe(1);
  });

  test("count type names that several files declare", () => {
    const files = {
      [`${SRC}/limiter/take.ts`]: "export type Taken = 1;\nexport interface Other {}\nconst B = 1;",
      [`${SRC}/limiter/wait.ts`]: "export type Taken = 2;",
      "packages/server/src/rules/read.ts": "export class Other {}",
    };
    expect(numbersIn(files)).toMatchObject({
      "type names of the library for several things": 1,
      "type names for several things, both packages": 2,
    });
  });
});
