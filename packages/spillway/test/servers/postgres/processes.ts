import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { until } from "../until.ts";

/** A process as the system sees it; of its states, "T" is a halted one, and "Z" one that has ended. */
type Process = { readonly pid: number; readonly parent: number; readonly state: string };

/**
 * Kills all children of a process, and waits until they have ended; it is halted itself from then on.
 *
 * Each of Postgres' children leads a group of its own, so that no signal reaches them all. Halted,
 * their parent starts no more of them, and their numbers are not given to others before it ends.
 */
export async function killChildren(parent: number): Promise<void> {
  process.kill(parent, "SIGSTOP");
  const isHalted = () => processes().every(({ pid, state }) => pid !== parent || isStill(state));
  await until(isHalted, { what: `process ${parent} is halted` });
  const children = processes().filter((each) => each.parent === parent);
  const pids = children.map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await until(() => living(pids).length === 0, { what: `the children of ${parent} have ended` });
}

/** Halts a process and all its children: they answer nothing. Returns what lets them go on. */
export function haltAll(parent: number): () => void {
  process.kill(parent, "SIGSTOP");
  const children = processes().filter((each) => each.parent === parent);
  for (const { pid } of children) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of [...children.map(({ pid }) => pid), parent]) process.kill(pid, "SIGCONT");
  };
}

/** Those that have not ended. One that has may be seen for a while, until somebody takes note. */
export function living(pids: readonly number[]): number[] {
  const all = processes().filter(({ state }) => !state.startsWith("Z"));
  return all.map(({ pid }) => pid).filter((pid) => pids.includes(pid));
}

function isStill(state: string): boolean {
  return /^[TZ]/.test(state);
}

function processes(): Process[] {
  if (!existsSync("/proc/self/stat")) return listed();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => fromFile(`/proc/${pid}/stat`));
}

/** Reads "1234 (a name, with ) perhaps) S 1233 …". */
function fromFile(file: string): Process[] {
  try {
    const text = readFileSync(file, "utf8");
    const [state = "", parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [{ pid: Number.parseInt(text, 10), parent: Number(parent), state }];
  } catch {
    // It was there when the list was made.
    return [];
  }
}

/** Where the system has no files that tell of them, it has `ps`. */
function listed(): Process[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,state="], { encoding: "utf8" });
  return text.split("\n").flatMap((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/);
    return state === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), state }];
  });
}
