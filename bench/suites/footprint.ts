/** What a key costs in memory, and what an import costs to send. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { weightsOf } from "../../scripts/test/packed/sizes.ts";
import { installed } from "../installed.ts";
import { peers } from "../peers/index.ts";
import type { Measured, Suite } from "./suite.ts";

const run = promisify(execFile);
/** What is measured of each: re-exports, since a bundler drops an import that nobody uses. */
const IMPORTS = {
  "spillway import": 'export { RateLimiter } from "spillway"',
  "spillway/small import": 'export * from "spillway/small"',
  "spillway/small import, one kind": 'export { limiter, tokenBucket } from "spillway/small"',
  "spillway/redis import": 'export * from "spillway/redis"',
  "spillway/express import": 'export * from "spillway/express"',
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
  const imports = await importSizes(progress);
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

/** Of the library as it is installed, without React, which a page has already. */
async function importSizes(progress: (line: string) => void): Promise<readonly Measured[]> {
  await using folder = await installed();
  const sizes: Measured[] = [];
  const weights = await weightsOf(Object.values(IMPORTS), folder.path);
  for (const [name, contents] of Object.entries(IMPORTS)) {
    const value = weights.get(contents) ?? 0;
    progress(`${name}: ${value} bytes gzipped`);
    sizes.push({ name, value, unit: "bytes gzipped" });
  }
  return sizes;
}
