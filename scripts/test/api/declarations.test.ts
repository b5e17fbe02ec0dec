/** What is read of a report: names with all that they are made of, and no remark. */
import { describe, expect, test } from "vitest";
import { declarationsIn, withoutProse, withoutRepeats } from "../../api/declarations.ts";

const report = (code: string) =>
  `## API Report File for "dam"\n\n> Made.\n\n\`\`\`ts\n\n${code}\n\n\`\`\`\n`;

const REPORT = report(`import { Water } from 'water';

// @public
export type Gate = { height: number; width: number };

// @public (undocumented)
export function open(gate: Gate): Water;

// @public (undocumented)
export function open(gate: Gate, by: Amount): Water;

// @public
class Inner {
    // (undocumented)
    level: Depth;
}

// @public
type Amount = Inner | number;

// @public
type Depth = number;

// @public @deprecated
export const OLD: number;

export { Water }

// (No @packageDocumentation comment for this package)`);

const declared = declarationsIn(REPORT);

test("each exported name has a text", () => {
  expect([...declared.keys()]).toEqual(["Gate", "open", "OLD", "Water"]);
});

test("all ways to call a function count, and what it uses that has no export", () => {
  expect(declared.get("open")).toBe(
    [
      "export function open(gate: Gate): Water;",
      "export function open(gate: Gate, by: Amount): Water;",
      "class Inner {\n    level: Depth;\n}",
      "type Amount = Inner | number;",
      "type Depth = number;",
    ].join("\n"),
  );
});

test("what has an export of its own does not count again", () => {
  const wider = declarationsIn(REPORT.replace("width: number", "width: bigint"));
  const differing = [...declared].filter(([name, text]) => wider.get(name) !== text);
  expect(differing.map(([name]) => name)).toEqual(["Gate"]);
});

test("prose does not count, and @deprecated does", () => {
  const other = declarationsIn(REPORT.replaceAll(" (undocumented)", ""));
  expect(other).toEqual(declared);
  const revived = declarationsIn(REPORT.replace(" @deprecated", ""));
  expect(revived.get("OLD")).not.toBe(declared.get("OLD"));
});

test("a part that can't be read is an error", () => {
  expect(() => declarationsIn(report("export = dam;"))).toThrow("can't be read: export = dam;");
});

describe("reports of several imports", () => {
  const water = report(`// @public
type Drop = number;

// @public
export type Water = { drops: Drop[] };`);
  const gate = report(`// @public
type Drop = number;

// @public
export type Gate = { water: Water; width: Width };

// @public
type Water = { drops: Drop[] };

// @public
type Width = number;`);
  const files = withoutRepeats(
    new Map([
      ["water", water],
      ["gate", gate],
    ]),
  );

  test("have what another one exports there alone, and what leads to it", () => {
    expect(files.get("water")).toBe(water);
    expect(files.get("gate")).toBe(
      report(`// @public
export type Gate = { water: Water; width: Width };

// @public
type Width = number;`),
    );
  });

  test("keep a type of another content that has its name", () => {
    const salty = gate.replace("drops: Drop[]", "salt: number");
    const both = withoutRepeats(
      new Map([
        ["water", water],
        ["gate", salty],
      ]),
    );
    expect(both.get("gate")).toContain("type Water = { salt: number };");
  });
});

test("prose of members is left out, but for what is deprecated", () => {
  const members = (remarks: string) => report(`// @public${remarks}\n};`);
  const prose = members(` (undocumented)
export type Level = {
    /**
    * The height.
    */
    readonly metres: number;
    // (undocumented)
    readonly feet: number;
    /** @deprecated Use metres. */
    readonly ells: number;`);
  expect(withoutProse(prose)).toBe(
    members(`
export type Level = {
    readonly metres: number;
    readonly feet: number;
    /** @deprecated Use metres. */
    readonly ells: number;`),
  );
});
