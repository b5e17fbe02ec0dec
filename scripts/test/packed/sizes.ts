/** What the imports of the packed library weigh in a program that is bundled for browsers. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/**
 * Imports, and the most bytes that each may weigh.
 *
 * Re-exports, since a bundler drops an import that nobody uses.
 */
export const BUDGETS: { readonly [contents: string]: number } = {
  'export { RateLimiter } from "spillway"': 37_300,
  'export { limiter, tokenBucket } from "spillway/small"': 8_800,
  'export * from "spillway/small"': 10_000,
  'export { memoryStore } from "spillway/memory"': 16_700,
  'export * from "spillway/redis"': 66_000,
  'export * from "spillway/express"': 20_800,
  'export * from "spillway/client"': 33_000,
};

/** Bytes of a program of one module, minified and gzipped, which finds the library from a folder. */
export async function weightOf(contents: string, folder: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    external: ["react", "node:*"],
    write: false,
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
