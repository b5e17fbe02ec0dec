/** A program in TypeScript compiles against the packed library, with any `module`, and runs. */
import { copyFileSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runs } from "../../../packages/spillway/test/runs.ts";
import { ROOT } from "../pages.ts";
import { OLDEST_MODULES, OLDEST_NODE } from "./oldest.ts";
import type { Packed } from "./packed.ts";
import { run } from "./run.ts";

/** The oldest Node promised, where there is one for this machine. */
const NODE = OLDEST_NODE ?? process.execPath;

/** Nothing that would help: no types of Node, no newer library, no `skipLibCheck`. */
const OPTIONS = { strict: true, target: "es2022", types: [], outDir: "out", rootDir: "." };

/** What the compiler makes of a file is said by its extension: `.cts` becomes CommonJS. */
const SETTINGS = [
  { options: { module: "commonjs" }, files: ["program.cts"] },
  { options: { module: "node16" }, files: ["program.cts", "program.mts", "both.mts"] },
  { options: { module: "node18" }, files: ["program.cts", "program.mts", "both.mts"] },
  { options: { module: "nodenext" }, files: ["program.cts", "program.mts", "both.mts"] },
  { options: { module: "esnext", moduleResolution: "bundler" }, files: ["program.mts"] },
  {
    // The frameworks' own types need those of Node, and are not for us to check.
    options: {
      module: "nodenext",
      types: ["node"],
      skipLibCheck: true,
      experimentalDecorators: true,
    },
    files: ["adapters.mts"],
  },
] as const;

/** `npm run soak` has all; in `npm test` the newest of Node's stands for them. */
const settings = SETTINGS.filter(({ options }) => runs(1) > 1 || !/^node\d/.test(options.module));
const oldest = settings.filter(({ options }) => options.module !== "node18"); // new in 5.8

const FIXTURES = join(import.meta.dirname, "fixtures");
const SOURCES = {
  "program.cts": "program.ts",
  "program.mts": "program.ts",
  "both.mts": "both.mts",
  "adapters.mts": "adapters.mts",
};

export function typescriptTests(packed: () => Packed): void {
  describe.each([
    { compiler: "TypeScript 5.2", modules: OLDEST_MODULES, settings: oldest },
    { compiler: "the present TypeScript", modules: join(ROOT, "node_modules"), settings },
  ])("with $compiler", ({ modules, settings }) => {
    test.each(settings)("module $options.module, $files.0", ({ options, files }) => {
      const folder = mkdtempSync(join(packed().folder, "program-"));
      for (const file of files) {
        copyFileSync(join(FIXTURES, SOURCES[file]), join(folder, file));
      }
      const tsconfig = { compilerOptions: { ...OPTIONS, ...options }, files };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
      const tsc = join(modules, "typescript", "bin", "tsc");
      expect(said(process.execPath, [tsc, "-p", folder])).toBe("");
      for (const file of readdirSync(join(folder, "out"))) {
        expect(said(NODE, [join(folder, "out", file)])).toMatch(
          /^(?:(?:1 0 1 function|200 200 429)\n)+$/,
        );
      }
    });
  });
}

/** All that a program says. */
function said(program: string, args: readonly string[]): string {
  const { stdout, stderr } = run(program, args);
  return stdout + stderr;
}
