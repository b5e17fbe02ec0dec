/** How comments read: what can be counted of that. People judge the rest. */
import type { Tree } from "../tree.ts";
import { written } from "./source-lines.ts";

const SOURCES = /^packages\/[^/]+\/src\/.*\.ts$/;
const DOCSTRING = /\/\*\*(.*?)\*\//gs;
const LONGEST_LINE = 100;
const LONGEST_SENTENCE = 30;

/** Docstrings that begin with a clause in place of the thing. */
export function indirectDocstrings(tree: Tree): number {
  return docstringsIn(tree).filter((text) => /^(?:What|Who|Whom|Whose|Of)\b/.test(text)).length;
}

/** Lines that are longer than an editor shows. */
export function longLines(tree: Tree): number {
  return written(tree, SOURCES)
    .flatMap(([, text]) => text.split("\n"))
    .filter((line) => line.length > LONGEST_LINE).length;
}

/** Sentences of comments that have to be read twice for their length alone. */
export function longSentences(tree: Tree): number {
  return docstringsIn(tree)
    .flatMap((text) => text.split(/[.:;!?](?:\s|$)|\n\s*\n|@\w+/))
    .filter((sentence) => sentence.trim().split(/\s+/).length > LONGEST_SENTENCE).length;
}

/** The texts of docstrings, without examples. */
function docstringsIn(tree: Tree): string[] {
  return written(tree, SOURCES).flatMap(([, text]) =>
    [...text.matchAll(DOCSTRING)].map(([, inner = ""]) =>
      inner
        .replaceAll(/^\s*\* ?/gm, "")
        .replace(/@example.*/s, "")
        .trim(),
    ),
  );
}

const DECLARATION = /^export (?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm;

/** Names of exported types that several files declare, each for a thing of its own. */
export function sharedTypeNames(tree: Tree, sources: RegExp): number {
  const counts = new Map<string, number>();
  for (const [, text] of written(tree, sources)) {
    for (const [, name = ""] of text.matchAll(DECLARATION)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts.values()].filter((count) => count > 1).length;
}
