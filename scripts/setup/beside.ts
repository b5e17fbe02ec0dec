/** Installs what only some tests need, and what is too large for everybody: runtimes, and old tools. */
import { exec } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { ROOT } from "./places.mjs";

const run = promisify(exec);
const COMMAND = "npm ci --include=dev --no-audit --no-fund --loglevel error";
/** Milliseconds between two looks at whether another process has done it. */
const LOOK = 100;

/**
 * Installs what a folder's own lockfile names, once for as long as that stays as it is.
 *
 * Test files run in several processes: one of them installs, and the others wait.
 *
 * @param name The folder, such as "scripts/runtimes".
 * @param what What that is, and how large, for a line before it begins.
 */
export async function installBeside(name: string, what: string): Promise<void> {
  const folder = join(ROOT, name);
  const locks = join(ROOT, ".spillway");
  mkdirSync(locks, { recursive: true });
  const lock = join(locks, `${basename(name)}.lock`);
  while (!isInstalled(folder)) {
    if (!take(lock)) {
      await wait(LOOK);
      continue;
    }
    try {
      if (!isInstalled(folder)) await install(folder, what);
    } finally {
      rmSync(lock);
    }
  }
}

async function install(folder: string, what: string): Promise<void> {
  console.log(`Installing ${what}, once`);
  await run(COMMAND, { cwd: folder });
  // Last, so that what was interrupted is not taken for whole.
  writeFileSync(noteIn(folder), lockfileOf(folder));
}

/** Compared as text: which optional packages npm leaves out depends on the machine. */
function isInstalled(folder: string): boolean {
  try {
    return readFileSync(noteIn(folder), "utf8") === lockfileOf(folder);
  } catch {
    return false;
  }
}

function noteIn(folder: string): string {
  return join(folder, "node_modules", ".installed-lock.json");
}

function lockfileOf(folder: string): string {
  return readFileSync(join(folder, "package-lock.json"), "utf8");
}

/** Whether this process may install: a lock whose process has died is worth nothing. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return true;
  } catch (error) {
    // EPERM: the process is another user's, and alive. ENOENT: its lock is gone, and another process may take it.
    return ["EPERM", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
