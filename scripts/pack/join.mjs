import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join as path, relative, sep } from "node:path";
import { build } from "esbuild";
import { CORE, coreOf, importPath, reachedFrom } from "./core.mjs";
import { pruneTypes, typesOf } from "./prune.mjs";

/**
 * Joins the modules of a built package into a few files: its entries, and what several of them share.
 *
 * A program that imports an entry reads a few files instead of eighty, which is most of what an import
 * costs. What the main entries need is one file, `shared/core.js`. Nothing is renamed or made smaller, so that stack traces name the functions of the sources. All
 * entries are joined at once: what two of them use exists once, so that a class of one is the class of
 * the other. Maps are left out, because the sources are not packed, and so are types that no entry leads to.
 *
 * A module that is loaded by `import()` becomes a file that needs no other one: what it shares with the rest
 * is small and without state, and a bundler would otherwise split everything in two for it.
 *
 * @param {string} folder The package's, with `dist` and `types` as the compiler has made them, which are replaced.
 * @param {readonly string[]} more Modules in `dist` that are entries too: they are loaded by their path.
 */
export async function join(folder, more = []) {
  const { exports, typesVersions } = JSON.parse(readFileSync(path(folder, "package.json"), "utf8"));
  const exported = Object.values(exports).map((one) => one.default.replace("./dist/", ""));
  const entries = [...exported, ...more];
  const joined = path(folder, "dist.joined");
  const later = new Set();
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
  const plugins = [apart(folder, later)];
  if (exported.length > 1) {
    const roots = CORE_ENTRIES.map((name) => path(folder, exports[name].default));
    const modules = await reachedFrom({ ...options, plugins }, roots);
    const core = path(joined, "shared/core.js");
    plugins.push(await coreOf({ ...options, plugins: [...plugins] }, modules, core));
  }
  const chunks = { chunkNames: "shared/[hash]", splitting: true };
  await build({ ...options, ...chunks, plugins, entryPoints: entries.map(fileOf) });
  await build({ ...options, entryPoints: [...later].map(fileOf) });
  dropEmpty(joined);
  pointToFiles(joined);
  rmSync(path(folder, "dist"), { recursive: true });
  renameSync(joined, path(folder, "dist"));
  pruneTypes(folder, typesOf(exports).concat(typesOf(typesVersions ?? {})));
}

/** The entries of which all modules are one file, in packages that have several. */
const CORE_ENTRIES = [".", "./small"];

const LATER = "later:";

/** Leaves modules out that are loaded by `import()`, and notes them. */
function apart(folder, later) {
  return {
    name: "apart",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path: to, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const module = relative(path(folder, "dist"), path(resolveDir, to)).split(sep).join("/");
        later.add(module);
        return { path: LATER + module, external: true };
      });
    },
  };
}

/** Writes where those modules and the core are, as seen from the files that name them. */
function pointToFiles(joined) {
  for (const file of filesIn(joined)) {
    const text = readFileSync(file, "utf8");
    const pointing = text
      .replaceAll(/"later:([^"]+)"/g, (_, module) => `"${importPath(file, path(joined, module))}"`)
      .replaceAll(`"${CORE}"`, () => `"${importPath(file, path(joined, "shared/core.js"))}"`);
    if (pointing !== text) writeFileSync(file, pointing);
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
