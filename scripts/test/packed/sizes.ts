/** What the imports of the packed library weigh in a program that is bundled for browsers. */
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";

/** Programs of one module by what they weigh at most, in bytes, minified and gzipped. */
export type Budgets = { readonly [contents: string]: number };

/**
 * A budget for each subpath, with all its names and all that these lead to; and for what small programs import.
 *
 * Re-exports, since a bundler drops an import that nobody uses. Each is what it weighed, plus 5 % at most.
 */
export const BUDGETS: Budgets = {
  'export * from "spillway"': 39_500,
  'export * from "spillway/small"': 10_000,
  'export * from "spillway/core"': 6_500,
  'export * from "spillway/algorithms"': 12_300,
  'export * from "spillway/store"': 42_500,
  'export * from "spillway/support"': 11_900,
  'export * from "spillway/telemetry"': 4_200,
  'export * from "spillway/memory"': 17_500,
  'export * from "spillway/redis"': 66_000,
  'export * from "spillway/service"': 30_500,
  'export * from "spillway/sqlite"': 46_100,
  'export * from "spillway/postgres"': 81_700,
  'export * from "spillway/shedding"': 49_800,
  'export * from "spillway/http"': 8_700,
  'export * from "spillway/guard"': 21_700,
  'export * from "spillway/node"': 21_600,
  'export * from "spillway/express"': 20_800,
  'export * from "spillway/fastify"': 22_200,
  'export * from "spillway/hono"': 22_800,
  'export * from "spillway/fetch"': 21_900,
  'export * from "spillway/koa"': 21_500,
  'export * from "spillway/nest"': 22_400,
  'export * from "spillway/express-rate-limit-store"': 39_200,
  'export * from "spillway/hono-rate-limiter-store"': 39_200,
  'export * from "spillway/nestjs-throttler-storage"': 39_100,
  'export * from "spillway/client"': 33_000,
  'export * from "spillway/sockets"': 24_800,
  'export * from "spillway/value"': 18_500,
  'export * from "spillway/react"': 2_400,
  'export * from "spillway/deferred"': 24_300,
  'export * from "spillway/visitors"': 11_500,
  'export * from "spillway/testing"': 70_100,
  'export * from "spillway/testing/simulation"': 73_900,
  'export { RateLimiter } from "spillway"': 37_300,
  'export { limiter, tokenBucket } from "spillway/small"': 8_800,
  'export { memoryStore } from "spillway/memory"': 16_700,
};

/** Returns programs that weigh more than their budgets, with a way out for each. */
export function tooHeavy(
  weights: ReadonlyMap<string, number>,
  budgets: Budgets,
): readonly string[] {
  return [...weights]
    .filter(([contents, bytes]) => bytes > (budgets[contents] ?? 0))
    .map(
      ([contents, bytes]) =>
        `${contents} weighs ${bytes} bytes, and may weigh ${budgets[contents]}: see what it imports now ` +
        "that it did not, and import that from a smaller module or when it is first needed. If users " +
        "gain by it, raise the budget in scripts/test/packed/sizes.ts, and tell them in CHANGELOG.md",
    );
}

/**
 * Returns the bytes of programs of one module each, minified and gzipped, which find the library from a folder.
 *
 * All are built together: what they share is read once, and each has it.
 */
export async function weightsOf(
  programs: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, number>> {
  const { outputFiles } = await build({
    entryPoints: programs.map((_, index) => `program:${index}`),
    plugins: [served(programs, folder)],
    outdir: folder,
    entryNames: "[name]",
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    external: ["react", "@nestjs/*", "node:*"],
    write: false,
    logLevel: "error",
  });
  const weights = outputFiles.map(({ contents }) => gzipSync(contents, { level: 9 }).length);
  return new Map(programs.map((contents, index) => [contents, weights[index] ?? 0]));
}

/** Has a bundler find each program by its number. */
function served(programs: readonly string[], resolveDir: string): Plugin {
  return {
    name: "programs",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^program:\d+$/ }, ({ path }) => ({ path, namespace: "program" }));
      onLoad({ filter: /./, namespace: "program" }, ({ path }) => ({
        contents: programs[Number(path.split(":")[1])] ?? "",
        resolveDir,
      }));
    },
  };
}
