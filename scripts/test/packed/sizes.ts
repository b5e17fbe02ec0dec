/** What the imports of the packed library weigh in a program that is bundled for browsers. */
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

/** Bytes of a bundle, minified and gzipped: what is loaded at first, and what a call may load later. */
export type Weight = { readonly first: number; readonly later: number };

/**
 * Imports, and the most bytes that each may weigh at first.
 *
 * Re-exports, since a bundler drops an import that nobody uses.
 */
export const BUDGETS: { readonly [contents: string]: number } = {
  'export { RateLimiter } from "spillway"': 29_000,
  'export { limiter, tokenBucket } from "spillway/small"': 8_500,
  'export * from "spillway/small"': 10_000,
  'export { memoryStore } from "spillway/memory"': 15_000,
  'export * from "spillway/redis"': 58_000,
  'export * from "spillway/express"': 20_000,
  'export * from "spillway/client"': 33_000,
};

/** Weighs a program of one module, which finds the library from a folder. */
export async function weightOf(contents: string, folder: string): Promise<Weight> {
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    outdir: folder,
    external: ["react", "node:*"],
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const { outputs } = metafile;
  const first = reachedFrom("stdin.js", outputs, ["import-statement"]);
  const all = reachedFrom("stdin.js", outputs, ["import-statement", "dynamic-import"]);
  const sum = (wanted: (name: string) => boolean) =>
    outputFiles
      .filter(({ path }) => wanted(nameOf(path)))
      .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  return {
    first: sum((name) => first.has(name)),
    later: sum((name) => all.has(name) && !first.has(name)),
  };
}

function nameOf(path: string): string {
  return path.replace(/.*[\\/]/, "");
}

/** The names of the files that one leads to by imports of some kinds, itself included. */
function reachedFrom(
  start: string,
  outputs: Metafile["outputs"],
  kinds: readonly string[],
): ReadonlySet<string> {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [nameOf(path), output]));
  const found = new Set<string>();
  const visit = (name: string) => {
    const output = byName.get(name);
    if (output === undefined || found.has(name)) return;
    found.add(name);
    for (const { kind, path } of output.imports) if (kinds.includes(kind)) visit(nameOf(path));
  };
  visit(start);
  return found;
}
