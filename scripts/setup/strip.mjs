/**
 * Builds the packages for `npm start`, without a compiler: only takes the types out of what has changed.
 *
 * A program of its own, because it needs Node 22.18 or newer, and `npm start` may have been begun by an
 * older one. What it writes is what the compiler would write, but for layout: the sources use nothing of
 * TypeScript that has to be translated.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./places.mjs";

const PACKAGES = join(ROOT, "packages");

/** An import of a module of the same package, up to its extension. */
const IMPORT = /((?:\bfrom|\bimport)\s*\(?\s*)"(\.{1,2}\/[^"\n]+)\.ts"/g;

/** The JavaScript of a module in TypeScript, line by line where it was. */
export function stripped(source) {
  return stripTypeScriptTypes(source).replace(IMPORT, '$1"$2.js"');
}

/** Builds a package, and returns how many modules had changed. */
export function strip(folder) {
  const changed = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({
      source: join(folder, "src", file),
      target: join(folder, "dist", file.replace(/\.ts$/, ".js")),
    }))
    .filter(isNewer);
  // The compiler trusts its notes: with them in place it would not notice that dist is not its own.
  if (changed.length > 0) rmSync(join(folder, "tsconfig.tsbuildinfo"), { force: true });
  for (const { source, target } of changed) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, stripped(readFileSync(source, "utf8")));
  }
  return changed.length;
}

function isNewer({ source, target }) {
  return !existsSync(target) || statSync(target).mtimeMs <= statSync(source).mtimeMs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const counts = readdirSync(PACKAGES).map((name) => strip(join(PACKAGES, name)));
  console.log(counts.reduce((all, one) => all + one, 0));
}
