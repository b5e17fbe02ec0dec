/** What a key costs in memory, and what an import costs to send. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { peers } from "../peers/index.ts";
import type { Measured, Suite } from "./suite.ts";

const run = promisify(execFile);
/** What is measured of each: re-exports, since a bundler drops an import that nobody uses. */
const IMPORTS = {
  "spillway import": 'export { RateLimiter } from "spillway"',
  "limitedFetch import": 'export { limitedFetch } from "spillway/client"',
  "useLimit import":
    'export { useLimit } from "spillway/react"; export { valueSource } from "spillway/value"',
};
const BENCH = fileURLToPath(new URL("..", import.meta.url));

export const footprint: Suite = async (progress) => {
  const rows: Measured[] = [];
  for (const { name } of peers) {
    const value = await bytesPerKey(name);
    progress(`${name}: ${value} bytes a key`);
    rows.push({ name, value, unit: "bytes a key" });
  }
  const imports: Measured[] = [];
  for (const [name, contents] of Object.entries(IMPORTS)) {
    const value = await importBytes(contents);
    progress(`${name}: ${value} bytes gzipped`);
    imports.push({ name, value, unit: "bytes gzipped" });
  }
  return [
    { title: "1 000 000 keys", rows },
    { title: "what is imported", rows: imports },
  ];
};

/** Measured in a process of its own, so that nobody else's memory is counted. */
async function bytesPerKey(peer: string): Promise<number> {
  const { stdout } = await run(process.execPath, ["weigh.ts", peer], { cwd: BENCH });
  return Math.round(Number(stdout));
}

/** Without React, which a page has already. */
async function importBytes(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: BENCH },
    external: ["react"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
