import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join as path } from "node:path";
import { build } from "esbuild";
import { pruneTypes, typesOf } from "./prune.mjs";

/**
 * Joins the modules of a built package into a few files: its entries, and what several of them share.
 *
 * A program that imports an entry reads five files instead of eighty, which is most of what an import
 * costs. Nothing is renamed or made smaller, so that stack traces name the functions of the sources. All
 * entries are joined at once: what two of them use exists once, so that a class of one is the class of
 * the other. Maps are left out, because the sources are not packed, and so are types that no entry leads to.
 *
 * @param {string} folder The package's, with `dist` and `types` as the compiler has made them, which are replaced.
 * @param {readonly string[]} more Modules in `dist` that are entries too: they are loaded by their path.
 */
export async function join(folder, more = []) {
  const { exports, typesVersions } = JSON.parse(readFileSync(path(folder, "package.json"), "utf8"));
  const exported = Object.values(exports).map((one) => one.default.replace("./dist/", ""));
  const entries = [...exported, ...more];
  const joined = path(folder, "dist.joined");
  await build({
    entryPoints: entries.map((entry) => path(folder, "dist", entry)),
    outbase: path(folder, "dist"),
    outdir: joined,
    chunkNames: "shared/[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    packages: "external",
    external: ["node:*"],
    logLevel: "warning",
  });
  dropEmpty(joined);
  rmSync(path(folder, "dist"), { recursive: true });
  renameSync(joined, path(folder, "dist"));
  pruneTypes(folder, typesOf(exports).concat(typesOf(typesVersions ?? {})));
}

// An index without code of its own becomes a file without code, which would be read all the same.
function dropEmpty(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .map((name) => path(folder, name));
  const empty = files.filter((file) => readFileSync(file, "utf8").trim() === "");
  if (empty.length === 0) return;
  const names = empty.map((file) => basename(file, ".js")).join("|");
  const imported = new RegExp(`^import "[./]+(?:shared/)?(?:${names})\\.js";\n`, "gm");
  for (const file of files) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(imported, ""));
  }
  for (const file of empty) rmSync(file);
}
