/** The names that users can import from the library, by subpath. */
import { posix } from "node:path";
import { isNode, type Node, placesIn } from "../syntax.ts";
import type { Tree } from "../tree.ts";

const HOME = "packages/spillway/";

/** The names of each subpath of the package, such as `./core`. */
export function exportedNames(tree: Tree): Map<string, ReadonlySet<string>> {
  const { exports = {} } = JSON.parse(tree.get(`${HOME}package.json`) ?? "{}");
  const subpaths: [string, { readonly default: string }][] = Object.entries(exports);
  return new Map(
    subpaths.map(([name, { default: target }]) => {
      const source = target.replace("./dist/", `${HOME}src/`).replace(/\.js$/, ".ts");
      return [name, new Set(namesOf(tree, source))];
    }),
  );
}

function namesOf(tree: Tree, path: string): string[] {
  const all = placesIn(path, tree.get(path) ?? "");
  return all.flatMap(({ node }) => [...named(node), ...passedOn({ tree, path, node })]);
}

function named(node: Node): string[] {
  if (node.type === "ExportSpecifier") return nameAt(node.exported);
  if (node.type !== "ExportNamedDeclaration" || !isNode(node.declaration)) return [];
  const { id, declarations } = node.declaration;
  if (isNode(id)) return nameAt(id);
  return [declarations].flat().flatMap((one) => (isNode(one) ? nameAt(one.id) : []));
}

function nameAt(node: unknown): string[] {
  return isNode(node) && typeof node.name === "string" ? [node.name] : [];
}

type Passed = { readonly tree: Tree; readonly path: string; readonly node: Node };

/** What `export * from` hands on; `export * as name` is one name. */
function passedOn({ tree, path, node }: Passed): string[] {
  if (node.type !== "ExportAllDeclaration" || !isNode(node.source)) return [];
  if (isNode(node.exported)) return nameAt(node.exported);
  const from = String(node.source.value);
  return from.startsWith(".") ? namesOf(tree, posix.join(posix.dirname(path), from)) : [];
}
