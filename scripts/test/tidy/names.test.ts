/** One name for one thing, and the glossary of these names. */
import { describe, expect, test } from "vitest";
import { glossary } from "../../tidy/glossary.ts";
import { MOST_SHARED } from "../../tidy/shared-type-names.ts";
import { checkTypeNames } from "../../tidy/type-names.ts";
import { type Files, findings, SRC } from "./findings.ts";

describe("exported type names", () => {
  const TABLE = "scripts/tidy/shared-type-names.ts";
  const twice: Files = {
    [`${SRC}/limiter/take.ts`]: "export type Taken = 1;\ntype Own = 1;\nexport type Other = 1;",
    [`${SRC}/limiter/wait.ts`]: "\nexport interface Taken {}\ntype Own = 2;",
    "packages/server/src/rules/read.ts": "export class Other {}",
  };
  const of = (files: Files, ...names: string[]) =>
    findings(checkTypeNames(names.map((name) => ({ name, why: "a reason" }))), files);

  test("are declared in one file, over both packages", () => {
    expect(of(twice)).toEqual([
      `${SRC}/limiter/wait.ts:2  found another exported type Taken, expected a name of its own: ${SRC}/limiter/take.ts declares one`,
      `packages/server/src/rules/read.ts:1  found another exported type Other, expected a name of its own: ${SRC}/limiter/take.ts declares one`,
    ]);
  });

  test("may be shared where the table has them", () => {
    expect(of(twice, "Taken", "Other")).toEqual([]);
  });

  test("leave the table once one file alone declares them", () => {
    expect(of({ [`${SRC}/a.ts`]: "export type Taken = 1;" }, "Taken")).toEqual([
      `${TABLE}:1  found the shared name Taken, expected it gone: one file declares it`,
    ]);
  });

  test("are shared by few exceptions", () => {
    const names = Array.from({ length: MOST_SHARED + 1 }, (_, index) => `T${index}`);
    const text = names.map((name) => `export type ${name} = 1;`).join("\n");
    expect(of({ [`${SRC}/a.ts`]: text, [`${SRC}/b.ts`]: text }, ...names)).toEqual([
      `${TABLE}:1  found the shared name T${MOST_SHARED}, expected at most ${MOST_SHARED} names`,
    ]);
  });
});

describe("the glossary", () => {
  const head = "| noun | is | type, file | elsewhere |\n| --- | --- | --- | --- |\n";
  const of = (rows: string) =>
    findings(glossary, {
      "docs/glossary.md": head + rows,
      [`${SRC}/limiter/lease.ts`]: "export class Lease {}\ntype Own = 1;",
    });

  test("names exported types, and files", () => {
    expect(
      of("| lease | a right | `Lease`, `limiter/lease.ts` | |\n| room | x | `limiter` | |"),
    ).toEqual([]);
  });

  test.each(["Own", "Leases", "limiter/leases.ts", "lim"])("does not name %s", (name) => {
    expect(of(`| lease | a right | \`${name}\` | |`)).toEqual([
      `docs/glossary.md:3  found no type, file or folder ${name}, expected few rows, of nouns that the sources have`,
    ]);
  });

  test("has few rows", () => {
    const rows = Array.from({ length: 71 }, (_, index) => `| n${index} | a thing | | |`);
    expect(of(rows.join("\n"))).toEqual([
      "docs/glossary.md:73  found more than 70 rows, expected few rows, of nouns that the sources have",
    ]);
  });
});
