/**
 * What the checks need to know of a module: what it imports, names and spells out.
 *
 * Read from the syntax tree, so comments and strings can't be mistaken for code.
 */
import { extname } from "node:path";
import { parseAst } from "vitest/node";
import { filesIn, lineAt, type Tree } from "./tree.ts";

/** An import, or an export from elsewhere. `erased`: of types only, gone when the code runs. */
export type Import = { readonly from: string; readonly erased: boolean; readonly line: number };

/** A name that is read, dotted where it is: `Date.now`, `process.env`, `process`. */
export type Name = { readonly name: string; readonly line: number };

/** A string literal; `field` is the name of the property whose value it is, `[]` in an array. */
export type Literal = {
  readonly value: string;
  readonly field: string | undefined;
  readonly line: number;
};

export type Module = {
  readonly imports: readonly Import[];
  readonly names: readonly Name[];
  readonly literals: readonly Literal[];
};

/** A node of a syntax tree, as ESTree names its fields. */
export type Node = {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
};
/** A node, whose it is, and as what. */
export type Place = { readonly node: Node; readonly parent: Node; readonly field: string };

const cache = new Map<string, Module>();

/** Every module whose path matches, read. Fixtures are not code of the house. */
export function modulesIn(tree: Tree, pattern = /./): [path: string, module: Module][] {
  return filesIn(tree, /\.m?[jt]s$/)
    .filter(([path]) => pattern.test(path) && !path.includes("/fixtures/"))
    .map(([path, text]) => [path, readModule(path, text)]);
}

function readModule(path: string, text: string): Module {
  const id = `${extname(path)}\n${text}`;
  const known = cache.get(id);
  if (known !== undefined) return known;
  const module = parse(path, text);
  cache.set(id, module);
  return module;
}

function parse(path: string, text: string): Module {
  const all = placesIn(path, text);
  const line = ({ node }: Place) => lineAt(text, node.start);
  return {
    imports: all.flatMap((place) =>
      importAt(place).map((found) => ({ ...found, line: line(place) })),
    ),
    names: all.flatMap((place) => namesAt(place).map((name) => ({ name, line: line(place) }))),
    literals: all.flatMap((place) =>
      literalAt(place).map((found) => ({ ...found, line: line(place) })),
    ),
  };
}

/** Every node of a module but its root, outer ones first. */
export function placesIn(path: string, text: string): Place[] {
  const root = rootOf(path, text);
  return root === undefined ? [] : [...places(root)];
}

/** The root of a module's tree. */
export function rootOf(path: string, text: string): Node | undefined {
  const lang = /\.d\.m?ts$/.test(path) ? "dts" : path.endsWith("ts") ? "ts" : "js";
  const root: unknown = parseAst(text, { lang }, path);
  return isNode(root) ? root : undefined;
}

function* places(parent: Node): Generator<Place> {
  for (const [field, value] of Object.entries(parent)) {
    for (const node of [value].flat().filter(isNode)) {
      yield { node, parent, field };
      yield* places(node);
    }
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function importAt({ node, parent, field }: Place): Omit<Import, "line">[] {
  if (field !== "source" || typeof node.value !== "string") return [];
  const kind = parent.importKind ?? parent.exportKind;
  return [{ from: node.value, erased: kind === "type" || parent.type === "TSImportType" }];
}

function namesAt({ node, parent, field }: Place): string[] {
  if (node.type === "NewExpression" && isBareDate(node)) return ["new Date()"];
  const isLabel = (field === "key" || field === "property") && parent.computed !== true;
  const isDeclared = field === "id" && parent.type.startsWith("TS");
  const name = isLabel || isDeclared ? undefined : dotted(node);
  return name === undefined ? [] : [name];
}

function isBareDate({ callee, arguments: given }: Node): boolean {
  return isNode(callee) && dotted(callee) === "Date" && Array.isArray(given) && given.length === 0;
}

function dotted(node: Node): string | undefined {
  const { type, name, object, property, computed } = node;
  if (type === "Identifier" && typeof name === "string") return name;
  if (type !== "MemberExpression" || computed === true) return undefined;
  const left = isNode(object) ? dotted(object) : undefined;
  const right = isNode(property) ? dotted(property) : undefined;
  if (left === undefined || right === undefined) return undefined;
  return left === "globalThis" ? right : `${left}.${right}`;
}

function literalAt({ node, parent, field }: Place): Omit<Literal, "line">[] {
  if (typeof node.value !== "string" || parent.type === "TSLiteralType") return [];
  if (parent.type === "ArrayExpression") return [{ value: node.value, field: "[]" }];
  const { key } = parent;
  const owner = field === "value" && isNode(key) ? dotted(key) : undefined;
  return [{ value: node.value, field: owner }];
}
