import { randomUUID } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A text, and the file to write it to. */
export type Writing = {
  readonly path: string;
  readonly text: string;
  /** Names the file that is renamed; nobody else may know it before. Default: chosen at random. */
  readonly id?: string;
};

/**
 * Writes a file by renaming another one over it: whoever reads it reads all of the old or all of the new
 * text, also after the machine has lost its power. Where the path is a link, what it leads to is written.
 */
export async function writeByRename({ path, text, id = randomUUID() }: Writing): Promise<void> {
  const place = await realpath(path);
  const found = await stat(place);
  if (!found.isFile()) throw Object.assign(new Error("this is no file"), { syscall: "rename" });
  // Nobody reads a name that begins with a dot as rules. What is there already, such as a link, is never written.
  const beside = join(dirname(place), `.spillway-${id}.new`);
  const file = await open(beside, "wx", found.mode);
  try {
    await fill(file, { text, mode: found.mode });
    await rename(beside, place);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

type Content = { readonly text: string; readonly mode: number };

async function fill(file: FileHandle, { text, mode }: Content): Promise<void> {
  try {
    // Whoever could read the file before still can, whatever this process's umask is.
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
