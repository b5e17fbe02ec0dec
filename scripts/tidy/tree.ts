import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";

/** The repository's files: text by path, with `/` and relative to the root. Binary files are "". */
export type Tree = ReadonlyMap<string, string>;

/** Everything under a folder but git's own files and what `.gitignore` names. */
export function readTree(root: string): Tree {
  return new Map(list({ root, folder: "", ignored: [".git", ...readIgnored(root)] }));
}

// Knows the patterns that this repository uses: names and globs that hold at every depth.
function readIgnored(root: string): string[] {
  const lines = readFileSync(join(root, ".gitignore"), "utf8").split(/\r?\n/);
  return lines.filter((line) => line !== "").map((line) => line.replace(/\/$/, ""));
}

type Listing = {
  readonly root: string;
  readonly folder: string;
  readonly ignored: readonly string[];
};

function* list({ root, folder, ignored }: Listing): Generator<[path: string, text: string]> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (ignored.some((pattern) => matchesGlob(entry.name, pattern))) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* list({ root, folder: path, ignored });
    else if (entry.isFile()) yield [path, readText(join(root, path))];
  }
}

function readText(file: string): string {
  const text = readFileSync(file, "utf8");
  return text.includes("\0") ? "" : text;
}

/** The files of a tree whose path matches. Pure. */
export function filesIn(tree: Tree, pattern: RegExp): [path: string, text: string][] {
  return [...tree].filter(([path]) => pattern.test(path));
}

/** The line, from 1, that an offset of a text is on. Pure. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The first line, from 1, that contains something; 1 if none does. Pure. */
export function lineOf(text: string, part: string): number {
  return lineAt(text, Math.max(0, text.indexOf(part)));
}
