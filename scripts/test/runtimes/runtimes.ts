/** The runtimes, and how a program of `scripts/runtimes` is served on each. */
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../pages.ts";
import type { Served } from "./served.ts";

type Start = (args: readonly string[]) => Promise<Served>;

export type Runtime = {
  /** As docs/middleware/fetch.md has it. */
  readonly title: string;
  /** The program's file. */
  readonly source: string;
  /** Where it is; empty where npm has none for this machine. */
  readonly binary: string;
  /** Starts the program, with the arguments that the runtime needs. */
  readonly serve: (start: Start, source: string) => Promise<Served>;
  /** The address of the tests' requests, as the program is to see it. */
  readonly peer: string;
  readonly stores: readonly string[];
};

/** What Deno allows the program. Its drivers read the environment; the library needs nothing of it. */
const DENO_MAY = ["--no-prompt", "--allow-net=127.0.0.1", "--allow-env"];

export const RUNTIMES: readonly Runtime[] = [
  {
    title: "Bun",
    source: "scripts/runtimes/bun.mjs",
    binary: installed("@oven/bun-*/bin/bun"),
    serve: (start, source) => start([source]),
    peer: "127.0.0.1",
    stores: ["memory", "sqlite", "redis", "postgres"],
  },
  {
    title: "Deno",
    source: "scripts/runtimes/deno.mjs",
    binary: installed("@deno/*/deno"),
    serve: (start, source) => start(["run", ...DENO_MAY, source]),
    peer: "127.0.0.1",
    stores: ["memory", "sqlite", "redis", "postgres"],
  },
  {
    title: "Cloudflare Workers",
    source: "scripts/runtimes/workerd.mjs",
    binary: installed("@cloudflare/workerd-*/bin/workerd"),
    serve: serveWorker,
    peer: "203.0.113.7",
    stores: ["memory"],
  },
];

/** The first file of `node_modules` that a pattern fits; empty where there is none. */
function installed(pattern: string): string {
  const modules = join(ROOT, "node_modules");
  const [path] = globSync(pattern, { cwd: modules });
  return path === undefined ? "" : join(modules, path);
}

/** Bundles the worker, for workerd looks for no modules, and serves it. */
async function serveWorker(start: Start, source: string): Promise<Served> {
  const scratch = join(ROOT, ".spillway");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "worker-"));
  try {
    const [entry, outfile] = [join(ROOT, source), join(folder, "worker.js")];
    await build({ entryPoints: [entry], outfile, bundle: true, format: "esm" });
    const config = join(folder, "workerd.capnp");
    copyFileSync(join(ROOT, "scripts", "runtimes", "workerd.capnp"), config);
    // It prints to this descriptor where it listens.
    return await start(["serve", config, "--control-fd=1"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
