/** How comments read: what can be counted of that. People judge the rest. */
import { lineAt, type Tree } from "../tree.ts";
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

/** An exported type, interface or class, and where it is declared. */
export type TypeDeclaration = {
  readonly name: string;
  readonly file: string;
  readonly line: number;
};

/** The exported types that people write, in the files of a pattern. */
export function declaredTypes(tree: Tree, sources: RegExp): TypeDeclaration[] {
  return written(tree, sources).flatMap(([file, text]) =>
    [...text.matchAll(DECLARATION)].map(({ 1: name = "", index }) => ({
      name,
      file,
      line: lineAt(text, index),
    })),
  );
}

/** Names of exported types that several files declare, each for a thing of its own. */
export function sharedTypeNames(tree: Tree, sources: RegExp): number {
  const byName = Map.groupBy(declaredTypes(tree, sources), ({ name }) => name);
  return [...byName.values()].filter((all) => all.length > 1).length;
}
