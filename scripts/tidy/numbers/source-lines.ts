/** How much code there is, and how long its pieces are. */
import { filesIn, type Tree } from "../tree.ts";

const LIBRARY = /^packages\/spillway\/src\/(?!testing\/).*\.ts$/;
const SOURCES = /^packages\/[^/]+\/src\/.*\.ts$/;

/** Lines of the library's code, without `testing/`, what is generated, comments and blank lines. */
export function libraryLines(tree: Tree): number {
  return written(tree, LIBRARY)
    .map(([, text]) => text.split("\n").filter(isCode).length)
    .reduce((sum, lines) => sum + lines, 0);
}

// Formatted code: a comment of several lines has a `*` at the front of each.
function isCode(line: string): boolean {
  return line.trim() !== "" && !/^\s*(?:\/\/|\/\*|\*(?:\s|\/|$))/.test(line);
}

/** Lines of the longest file of both packages. */
export function longestFile(tree: Tree): number {
  return Math.max(
    0,
    ...written(tree, SOURCES).map(([, text]) => text.trimEnd().split("\n").length),
  );
}

/** The files of a pattern that people write. */
export function written(tree: Tree, pattern: RegExp): [path: string, text: string][] {
  return filesIn(tree, pattern).filter(([path]) => !path.endsWith(".generated.ts"));
}

/** Where a type is forced on a value that does not fit it. */
export function forcedTypes(tree: Tree): number {
  return written(tree, SOURCES).reduce(
    (sum, [, text]) => sum + text.split("as unknown as").length - 1,
    0,
  );
}
