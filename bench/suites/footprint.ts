/** What a key costs in memory, and what an import costs to send. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { peers } from "../peers/index.ts";
import type { Measured, Suite } from "./suite.ts";

const run = promisify(execFile);
const IMPORT = 'import { RateLimiter } from "spillway"';
const BENCH = fileURLToPath(new URL("..", import.meta.url));

export const footprint: Suite = async (progress) => {
  const rows: Measured[] = [];
  for (const { name } of peers) {
    const value = await bytesPerKey(name);
    progress(`${name}: ${value} bytes a key`);
    rows.push({ name, value, unit: "bytes a key" });
  }
  const value = await importBytes();
  progress(`spillway import: ${value} bytes gzipped`);
  const sent = { name: "spillway import", value, unit: "bytes gzipped" };
  return [
    { title: "1 000 000 keys", rows },
    { title: IMPORT, rows: [sent] },
  ];
};

/** Measured in a process of its own, so that nobody else's memory is counted. */
async function bytesPerKey(peer: string): Promise<number> {
  const { stdout } = await run(process.execPath, ["weigh.ts", peer], { cwd: BENCH });
  return Math.round(Number(stdout));
}

/** A re-export, since a bundler drops an import that nobody uses. */
async function importBytes(): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: 'export { RateLimiter } from "spillway"', resolveDir: BENCH },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
