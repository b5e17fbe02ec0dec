import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An import, an export or a type of another module of the package. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g;
const REFERENCE = /<reference path="([^"]+)"/g;
/** Where the compiler says that a map is. */
const MAP = /\n\/\/# sourceMappingURL=\S+\s*$/;

/** The files of types that a part of a package.json names, such as its `exports`. */
export function typesOf(part) {
  if (typeof part === "string") return /\.d\.m?ts$/.test(part) ? [part] : [];
  return Object.values(part ?? {}).flatMap(typesOf);
}

/**
 * Removes the types of a package that no entry leads to, and all maps.
 *
 * Half of the modules appear in no other module's types. Those that stay are not joined: a class that is
 * declared twice is two classes to the compiler.
 */
export function pruneTypes(folder, entries) {
  const reached = new Set();
  for (const entry of entries) reach(join(folder, entry), reached);
  const types = join(folder, "types");
  for (const file of readdirSync(types, { recursive: true, encoding: "utf8" })) {
    const path = join(types, file);
    if (/\.d\.m?ts\.map$/.test(file)) rmSync(path);
    else if (!/\.d\.m?ts$/.test(file)) continue;
    else if (reached.has(path)) writeFileSync(path, readFileSync(path, "utf8").replace(MAP, "\n"));
    else rmSync(path);
  }
}

function reach(file, reached) {
  if (reached.has(file)) return;
  reached.add(file);
  const text = readFileSync(file, "utf8");
  for (const pattern of [IMPORT, REFERENCE]) {
    for (const [, to] of text.matchAll(pattern))
      reach(declarationOf(join(file, "..", to)), reached);
  }
}

/** The types of a module, which may be named by its source or by what the compiler makes of it. */
function declarationOf(module) {
  if (/\.d\.m?ts$/.test(module)) return module;
  return module.replace(/\.(m?)[jt]s$/, ".d.$1ts");
}
