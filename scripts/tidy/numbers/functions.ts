/** How long functions are, in the three languages, and which of their arguments can be swapped by mistake. */
import { isNode, type Node, type Place, placesIn } from "../syntax.ts";
import { filesIn, lineAt, type Tree } from "../tree.ts";
import { written } from "./source-lines.ts";

const SOURCES = /^packages\/[^/]+\/src\/.*\.ts$/;
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const SIGNATURES = new Set([
  "TSFunctionType",
  "TSMethodSignature",
  "TSEmptyBodyFunctionExpression",
]);
const PRIMITIVES = new Set([
  "TSNumberKeyword",
  "TSStringKeyword",
  "TSBooleanKeyword",
  "TSBigIntKeyword",
]);

export type FunctionNumbers = {
  /** Lines of the longest function. */
  readonly longest: number;
  /** Signatures of which two neighbouring arguments are of one primitive type. */
  readonly swappable: number;
};

export function functionNumbers(tree: Tree): FunctionNumbers {
  const all = written(tree, SOURCES).map(([path, text]) => numbersIn(path, text));
  return {
    longest: Math.max(0, ...all.map(({ longest }) => longest)),
    swappable: all.reduce((sum, { swappable }) => sum + swappable, 0),
  };
}

function numbersIn(path: string, text: string): FunctionNumbers {
  const all = placesIn(path, text);
  const lines = all.filter(isFunction).map(({ node }) => linesOf(text, node));
  const swappable = all.filter(({ node }) => isSignature(node) && canBeSwapped(node)).length;
  return { longest: Math.max(0, ...lines), swappable };
}

function isFunction({ node }: Place): boolean {
  return FUNCTIONS.has(node.type);
}

function isSignature({ type }: Node): boolean {
  return FUNCTIONS.has(type) || SIGNATURES.has(type);
}

function linesOf(text: string, { start, end }: Node): number {
  return lineAt(text, Number(end)) - lineAt(text, start) + 1;
}

function canBeSwapped({ params }: Node): boolean {
  const types = [params].flat().map(primitiveOf);
  return types.some((type, at) => type !== undefined && type === types[at + 1]);
}

function primitiveOf(param: unknown): string | undefined {
  const named = isNode(param) && isNode(param.left) ? param.left : param;
  const annotation =
    isNode(named) && isNode(named.typeAnnotation) ? named.typeAnnotation : undefined;
  const type =
    annotation !== undefined && isNode(annotation.typeAnnotation)
      ? annotation.typeAnnotation.type
      : "";
  return PRIMITIVES.has(type) ? type : undefined;
}

/** Lines of the longest function in Lua, or of the longest piece of a file outside any. */
export function longestLua(tree: Tree): number {
  const pieces = filesIn(tree, /^packages\/[^/]+\/src\/.*\.lua$/).flatMap(([, text]) =>
    piecesOf(text),
  );
  return Math.max(0, ...pieces);
}

// Formatted code: a function of a file's own begins and ends at the margin.
function piecesOf(text: string): number[] {
  const parts = text.split(/^(?=(?:local )?function\b)|(?<=^end)$/m);
  return parts.map(
    (part) => part.split("\n").filter((line) => !/^\s*(?:--.*)?$/.test(line)).length,
  );
}

/** Lines of the longest body of a function in SQL. */
export function longestSql(tree: Tree): number {
  const bodies = filesIn(tree, /^packages\/[^/]+\/src\/.*\.sql$/).flatMap(([, text]) =>
    text.split("$$").filter((_, at) => at % 2 === 1),
  );
  return Math.max(0, ...bodies.map((body) => body.trim().split("\n").length));
}
