/** The glossary is short, and names types and files that there are. */
import type { Check, Finding } from "./finding.ts";
import { declaredTypes } from "./numbers/prose.ts";
import type { Tree } from "./tree.ts";

const PAGE = "docs/glossary.md";
const SOURCES = /^packages\/[^/]+\/src\/.*\.ts$/;
const MOST_ROWS = 70;

export const glossary: Check = (tree) => {
  const rows = rowsOf(tree.get(PAGE) ?? "");
  const known = new Set([...declaredTypes(tree, SOURCES).map(({ name }) => name), ...paths(tree)]);
  return [
    ...rows.flatMap(({ line, names }) =>
      names
        .filter((name) => !known.has(name))
        .map((name) => finding(line, `no type, file or folder ${name}`)),
    ),
    ...rows.slice(MOST_ROWS).map(({ line }) => finding(line, `more than ${MOST_ROWS} rows`)),
  ];
};

type Row = { readonly line: number; readonly names: readonly string[] };

/** The rows of the table, without its head. */
function rowsOf(text: string): readonly Row[] {
  return text
    .split("\n")
    .map((row, index) => ({ line: index + 1, cells: row.split("|").map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.length > 1)
    .slice(2)
    .map(({ line, cells }) => ({ line, names: namesIn(cells[3] ?? "") }));
}

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** Files and folders of the sources, from `src` on. */
function paths(tree: Tree): readonly string[] {
  return [...tree.keys()]
    .filter((path) => SOURCES.test(path))
    .map((path) => path.split("/").slice(3))
    .flatMap((steps) => steps.map((_, index) => steps.slice(0, index + 1).join("/")));
}

function finding(line: number, found: string): Finding {
  return { file: PAGE, line, found, expected: "few rows, of nouns that the sources have" };
}
