import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join as path } from "node:path";
import { build } from "esbuild";
import { CORE, coreOf, importPath, reachedFrom } from "./core.mjs";
import { pruneTypes, typesOf } from "./prune.mjs";

/**
 * Joins the modules of a built package into a few files: its entries, and what several of them share.
 *
 * A program that imports an entry reads a few files instead of eighty, which is most of what an import
 * costs. What the main entries need is one file, `shared/core.js`. Functions keep their names and nothing is made
 * smaller, so that stack traces are those of the sources. All entries are joined at once: what two of them use
 * exists once, so that a class of one is the class of the other. Maps are left out, because the sources are not
 * packed, and so are types that no entry leads to.
 *
 * @param {string} folder The package's, with `dist` and `types` as the compiler has made them, which are replaced.
 * @param {readonly string[]} more Modules in `dist` that are entries too: they are loaded by their path.
 */
export async function join(folder, more = []) {
  const { exports, typesVersions } = JSON.parse(readFileSync(path(folder, "package.json"), "utf8"));
  const exported = Object.values(exports).map((one) => one.default.replace("./dist/", ""));
  const entries = [...exported, ...more];
  const joined = path(folder, "dist.joined");
  const options = {
    outbase: path(folder, "dist"),
    outdir: joined,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    packages: "external",
    external: ["node:*"],
    logLevel: "warning",
  };
  const fileOf = (module) => path(folder, "dist", module);
  const plugins = [];
  if (exported.length > 1) {
    const roots = CORE_ENTRIES.map((name) => path(folder, exports[name].default));
    const modules = await reachedFrom(options, roots);
    plugins.push(await coreOf(options, modules, path(joined, "shared/core.js")));
  }
  const chunks = { chunkNames: "shared/[hash]", splitting: true };
  await build({ ...options, ...chunks, plugins, entryPoints: entries.map(fileOf) });
  dropEmpty(joined);
  pointToCore(joined);
  rmSync(path(folder, "dist"), { recursive: true });
  renameSync(joined, path(folder, "dist"));
  pruneTypes(folder, typesOf(exports).concat(typesOf(typesVersions ?? {})));
}

/** The entries of which all modules are one file, in packages that have several. */
const CORE_ENTRIES = [".", "./small"];

/** Writes where the core is, as seen from the files that name it. */
function pointToCore(joined) {
  for (const file of filesIn(joined)) {
    const text = readFileSync(file, "utf8");
    const to = importPath(file, path(joined, "shared/core.js"));
    if (text.includes(`"${CORE}"`)) writeFileSync(file, text.replaceAll(`"${CORE}"`, `"${to}"`));
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .map((name) => path(folder, name));
}

// An index without code of its own becomes a file without code, which would be read all the same.
function dropEmpty(folder) {
  const files = filesIn(folder);
  const empty = files.filter((file) => readFileSync(file, "utf8").trim() === "");
  if (empty.length === 0) return;
  const names = empty.map((file) => basename(file, ".js")).join("|");
  const imported = new RegExp(`^import "[./]+(?:shared/)?(?:${names})\\.js";\n`, "gm");
  for (const file of files) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(imported, ""));
  }
  for (const file of empty) rmSync(file);
}
