/** The numbers of the house, which may only fall: `npm run tidy` prints them. */
import type { Check } from "./finding.ts";
import { arrowsOf } from "./floors.ts";
import { HOUSES, type House } from "./houses.ts";
import { exportedNames } from "./numbers/exported-names.ts";
import { functionNumbers, longestLua, longestSql } from "./numbers/functions.ts";
import { indirectDocstrings, longLines, longSentences, sharedTypeNames } from "./numbers/prose.ts";
import { forcedTypes, libraryLines, longestFile } from "./numbers/source-lines.ts";
import type { Tree } from "./tree.ts";

const LIBRARY = /^packages\/spillway\/src\/.*\.ts$/;
const SOURCES = /^packages\/[^/]+\/src\/.*\.ts$/;

/** Where the most that each may be is kept; `npm run tidy` lowers it to what it finds. */
export const LIMITS = "scripts/tidy/numbers.json";

/** Printed, and not bounded: a new feature adds lines, and nobody should have to justify each. */
const UNBOUNDED = new Set(["lines of the library's code"]);

export type Numbers = Readonly<Record<string, number>>;

/** Every number, by what it counts. */
export function numbersOf(tree: Tree): Numbers {
  const names = exportedNames(tree);
  const { longest, swappable } = functionNumbers(tree);
  return {
    ...Object.assign({}, ...HOUSES.map((house) => houseNumbers(tree, house))),
    "lines of the library's code": libraryLines(tree),
    "exported names": new Set([...names.values()].flatMap((all) => [...all])).size,
    "exported names of spillway/core": names.get("./core")?.size ?? 0,
    "types that are forced (as unknown as)": forcedTypes(tree),
    "signatures with neighbours of one primitive type": swappable,
    "type names of the library for several things": sharedTypeNames(tree, LIBRARY),
    "type names for several things, both packages": sharedTypeNames(tree, SOURCES),
    "docstrings that begin with What, Who, Whom, Whose or Of": indirectDocstrings(tree),
    "lines over 100 columns": longLines(tree),
    "sentences of docstrings over 30 words": longSentences(tree),
    "lines of the longest file": longestFile(tree),
    "lines of the longest function, TypeScript": longest,
    "lines of the longest function, Lua": longestLua(tree),
    "lines of the longest function, SQL": longestSql(tree),
  };
}

function houseNumbers(tree: Tree, house: House): Numbers {
  const name = house.src.split("/")[1];
  const rooms = house.floors.flat().filter((room) => !room.name.endsWith(".ts"));
  return {
    [`rooms of ${name}`]: rooms.length,
    [`floors of ${name}`]: house.floors.length,
    [`pairs of rooms that import each other, ${name}`]: arrowsOf(tree, house).size,
  };
}

/** What `npm run tidy` prints. */
export function table(tree: Tree): string {
  const most = mostOf(tree);
  const rows = Object.entries(numbersOf(tree)).map(
    ([name, now]) => `| ${name} | ${now} | ${most[name] ?? (UNBOUNDED.has(name) ? "" : now)} |`,
  );
  return ["| number | now | at most |", "| --- | --: | --: |", ...rows].join("\n");
}

/** The text of the file of limits, with each number no higher than it is now. */
export function lowered(tree: Tree): string {
  const most = mostOf(tree);
  const all = Object.entries(numbersOf(tree))
    .filter(([name]) => !UNBOUNDED.has(name))
    .map(([name, now]) => [name, Math.min(now, most[name] ?? now)]);
  return `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
}

// A number that is new may be whatever it is.
function mostOf(tree: Tree): Numbers {
  return JSON.parse(tree.get(LIMITS) ?? "{}");
}

export const numbers: Check = (tree) => {
  const most = mostOf(tree);
  return Object.entries(numbersOf(tree))
    .filter(([name, now]) => now > (most[name] ?? now))
    .map(([name, now]) => ({
      file: LIMITS,
      line: 1,
      found: `${now} ${name}`,
      expected: `at most ${most[name]}, as before; or raise it in that file, and say why in the commit`,
    }));
};
