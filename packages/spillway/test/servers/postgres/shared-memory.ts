import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./run.ts";

/** In the file by which a server locks its data, this line names its shared memory: "key id". */
const LINE = 6;

/**
 * Frees the shared memory that a killed server left behind.
 *
 * It is 56 bytes by which the next server of the same data would see that somebody still uses it. No
 * process has to be there for the system to keep them, and it keeps 4096 such pieces at most.
 */
export async function freeSharedMemory(directory: string): Promise<void> {
  const lock = await readFile(join(directory, "data", "postmaster.pid"), "utf8").catch(() => "");
  const [, id] = (lock.split("\n")[LINE] ?? "").trim().split(/\s+/);
  if (id === undefined) return;
  // Where there is no `ipcrm`, it stays.
  await run({ path: "ipcrm", args: ["-m", id], directory }).catch(() => {});
}
