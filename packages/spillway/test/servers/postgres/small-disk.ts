import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Guard } from "../guard.ts";
import { temporaryFolder } from "./folder.ts";
import { query, type Reachable } from "./query.ts";
import { postgresUser } from "./user.ts";

const run = promisify(execFile);

/** Bytes: a few tables, and full in no time. */
const SIZE = 4 << 20;

/** A disk of its own for some of a server's tables, so small that it can be filled. */
export class SmallDisk implements AsyncDisposable {
  /** Where to put a table, as in `CREATE TABLE … TABLESPACE small_disk`. */
  readonly tablespace = "small_disk";
  readonly #directory: string;
  readonly #guard: Guard;

  /** Use `smallDisk`. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#guard = new Guard(directory, { mounted: true });
  }

  /** From now on, no table there can grow; a page that isn't full yet still takes rows. */
  async fill(): Promise<void> {
    await writeFile(this.#filler, Buffer.alloc(SIZE)).catch((error) => {
      if (error.code !== "ENOSPC") throw error;
    });
  }

  /** From now on, there is room again. */
  async empty(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  /** Takes it away, with all that is on it, even from a server that uses it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await run("umount", ["-l", this.#directory]);
    await rm(this.#directory, { recursive: true });
    this.#guard.release();
  }

  get #filler(): string {
    return join(this.#directory, "filler");
  }
}

/** Why there is no such disk. */
export type Obstacle = { readonly obstacle: string };

/** Gives a server a small disk: one in memory, where the system lets one mount it. */
export async function smallDisk(server: Reachable): Promise<SmallDisk | Obstacle> {
  const directory = await temporaryFolder("disk");
  const { uid = 0, gid = 0 } = postgresUser();
  const options = `size=${SIZE},mode=700,uid=${uid},gid=${gid}`;
  try {
    await run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
  } catch (error) {
    await rm(directory, { recursive: true });
    return { obstacle: `No small disk can be mounted here. ${error}` };
  }
  const disk = new SmallDisk(directory);
  await query(server, `CREATE TABLESPACE ${disk.tablespace} LOCATION '${directory}'`);
  return disk;
}
