/** Somebody who has just cloned the repository: `npm start` with an empty cache, up to the first answer. */
import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { ROOT } from "../../scripts/setup/places.mjs";
import type { Figures } from "../run.ts";

const run = promisify(execFile);
/** Milliseconds between two requests to a service that may not be there yet. */
const PAUSE = 20;

/** What one visit took. */
export type Visit = Figures & {
  /** From the command to the first decision, in seconds. */
  readonly seconds: number;
  readonly packages: number;
  /** What was installed, Node included, in millions of bytes. */
  readonly megabytes: number;
};

/**
 * Visits: a clone of what is committed, in a folder of its own.
 *
 * @param path Where the Node is that the machine has, as PATH names it.
 */
export async function visit(path: string): Promise<Visit> {
  await using place = await mkdtempDisposable(join(tmpdir(), "spillway-visit-"));
  const clone = join(place.path, "clone");
  await run("git", ["clone", "--quiet", ROOT, clone]);
  const [port, grpcPort] = [await freePort(), await freePort()];
  const env = {
    ...inherited(),
    PATH: [path, process.env.PATH].join(delimiter),
    npm_config_cache: join(place.path, "cache"),
    PORT: String(port),
    GRPC_PORT: String(grpcPort),
  };
  const start = performance.now();
  const service = spawn("npm", ["start"], { cwd: clone, env, stdio: ["ignore", 2, 2] });
  const ended = new Promise<void>((resolve) => service.once("close", () => resolve()));
  try {
    await firstAnswer(`http://127.0.0.1:${port}`, () => service.exitCode === null);
    const seconds = (performance.now() - start) / 1000;
    return { seconds, packages: packagesIn(clone), megabytes: megabytesIn(clone) };
  } finally {
    service.kill("SIGTERM");
    await ended;
  }
}

/** Nothing of the npm that runs the benchmark, nor of its Node. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const REQUEST = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    domain: "example",
    descriptors: [
      {
        entries: [
          { key: "auth_type", value: "login" },
          { key: "user", value: "a" },
        ],
      },
    ],
  }),
};

async function firstAnswer(url: string, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const decision: unknown = await fetch(`${url}/v1/limit`, REQUEST)
      .then((response) => response.json())
      .catch(() => undefined);
    if (decision !== undefined) {
      if ((decision as { ok?: unknown }).ok === true) return;
      throw new Error(`the first answer is ${JSON.stringify(decision)}`);
    }
    await wait(PAUSE);
  }
  throw new Error("npm start ended without an answer");
}

/** Links to the workspaces left out. */
function packagesIn(clone: string): number {
  const record = join(clone, "node_modules", ".package-lock.json");
  const { packages } = JSON.parse(readFileSync(record, "utf8")) as {
    packages: Readonly<Record<string, { readonly link?: boolean }>>;
  };
  return Object.entries(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  ).length;
}

/** What is in `node_modules`, and beside it where Node was installed; a file that has two names counts once. */
function megabytesIn(clone: string): number {
  const seen = new Set<number>();
  let bytes = 0;
  for (const folder of ["node_modules", ".spillway"]) {
    for (const file of filesIn(join(clone, folder))) {
      const { ino, size } = statSync(file);
      if (!seen.has(ino)) bytes += size;
      seen.add(ino);
    }
  }
  return bytes / 1e6;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return []; // it is not there
  }
}
