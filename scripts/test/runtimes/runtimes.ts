/** The runtimes, and how a program of `scripts/runtimes` is served on each. */
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { installBeside } from "../../setup/beside.ts";
import { ROOT, read } from "../pages.ts";
import type { Served } from "./served.ts";

await installBeside("scripts/runtimes", "Bun, Deno and workerd, 350 MB");

type Start = (args: readonly string[]) => Promise<Served>;

/** How a runtime is to behave. */
export type Behaviour = {
  /** What a worker is compatible with; nothing to others. */
  readonly date?: string;
  /** Flags of Deno's command line, or of a worker. */
  readonly flags?: readonly string[];
};

/** Before workerd began to offer modules and globals of Node. */
const OLD_DATE = "2024-01-01";
/** Since it does so by itself, with timers like those of Node. */
const NEW_DATE = "2026-09-01";

export type Runtime = {
  /** As docs/middleware/fetch.md has it. */
  readonly title: string;
  /** The program's file. */
  readonly source: string;
  /** Where it is; empty where npm has none for this machine. */
  readonly binary: string;
  /** Starts a program, with the arguments that the runtime needs. */
  readonly serve: (start: Start, source: string, behaviour?: Behaviour) => Promise<Served>;
  /** The address of the tests' requests, as the program is to see it. */
  readonly peer: string;
  readonly stores: readonly string[];
  /** The program of the routes under limits, and what the runtime may be like for it. */
  readonly routes: string;
  readonly behaviours: readonly Behaviour[];
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
    routes: "scripts/runtimes/leases/bun.mjs",
    behaviours: [{}],
  },
  {
    title: "Deno",
    source: "scripts/runtimes/deno.mjs",
    binary: installed("@deno/*/deno"),
    serve: (start, source, { flags = [] } = {}) => start(["run", ...DENO_MAY, ...flags, source]),
    peer: "127.0.0.1",
    stores: ["memory", "sqlite", "redis", "postgres"],
    routes: "scripts/runtimes/leases/deno.mjs",
    behaviours: [{}, { flags: ["--unstable-no-legacy-abort"] }],
  },
  {
    title: "Cloudflare Workers",
    source: "scripts/runtimes/workerd.mjs",
    binary: installed("@cloudflare/workerd-*/bin/workerd"),
    serve: serveWorker,
    peer: "203.0.113.7",
    stores: ["memory"],
    routes: "scripts/runtimes/leases/workerd.mjs",
    behaviours: [OLD_DATE, NEW_DATE].map((date) => ({ date, flags: ["enable_request_signal"] })),
  },
];

/** The first of the files installed that a pattern fits; empty where there is none. */
function installed(pattern: string): string {
  const modules = join(ROOT, "scripts", "runtimes", "node_modules");
  const [path] = globSync(pattern, { cwd: modules });
  return path === undefined ? "" : join(modules, path);
}

/** Bundles the worker, for workerd looks for no modules, and serves it. */
async function serveWorker(start: Start, source: string, as: Behaviour = {}): Promise<Served> {
  const scratch = join(ROOT, ".spillway");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "worker-"));
  try {
    const [entry, outfile] = [join(ROOT, source), join(folder, "worker.js")];
    await build({ entryPoints: [entry], outfile, bundle: true, format: "esm" });
    const config = join(folder, "workerd.capnp");
    writeFileSync(config, configOf(as));
    // It prints to this descriptor where it listens.
    return await start(["serve", config, "--control-fd=1"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function configOf({ date = OLD_DATE, flags = [] }: Behaviour): string {
  return read("scripts/runtimes/workerd.capnp")
    .replace("DATE", date)
    .replace("FLAGS", flags.map((flag) => JSON.stringify(flag)).join(", "));
}
