/** Programs as pages print them, run as they are: each in a process of its own. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { fences, ROOT, read } from "../pages.ts";

const PRELOADED = new URL("./listen-anywhere.mjs", import.meta.url).href;

/** A program of a page, its first by default, in a file beside which its imports are found. */
export async function withProgram<T>(
  page: string,
  use: (file: string) => Promise<T>,
  index = 0,
): Promise<T> {
  const scratch = join(ROOT, ".spillway");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "printed-"));
  const file = join(folder, "program.ts");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(file, programs(read(page))[index] ?? "");
  try {
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Programs with decorators, which Node does not know, are printed as `typescript`, and compiled. */
function programs(text: string): readonly string[] {
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } };
  const compiled = fences(text, "typescript").map(
    (program) => transformSync(program, { loader: "ts", tsconfigRaw }).code,
  );
  return [...fences(text, "ts"), ...compiled];
}

/** Runs a program of a page, its first by default, which is a server, and sends requests to it. */
export async function withServer<T>(
  page: string,
  ask: (url: string) => Promise<T>,
  index = 0,
): Promise<T> {
  return withProgram(page, (file) => served(file, ask), index);
}

async function served<T>(file: string, ask: (url: string) => Promise<T>): Promise<T> {
  const child = fork(file, {
    execArgv: ["--import", PRELOADED],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  try {
    return await ask(`http://127.0.0.1:${await portOf(child)}`);
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

/** Where it listens. @throws Error with what it has printed, where it ends before it does */
async function portOf(child: ChildProcess): Promise<number> {
  let printed = "";
  child.stderr?.on("data", (chunk) => {
    printed += chunk;
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(printed)));
  const [port] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => {});
  return port as number;
}

/** The module that a program of a page is; its first by default. */
export async function withModule<T>(
  page: string,
  use: (module: never) => Promise<T>,
  index = 0,
): Promise<T> {
  const load = async (file: string) => use((await import(pathToFileURL(file).href)) as never);
  return withProgram(page, load, index);
}
