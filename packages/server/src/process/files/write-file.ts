import { randomUUID } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A text, and the file to write it to. */
export type FileWrite = {
  readonly path: string;
  readonly text: string;
  /** Part of the temporary file's name. It must not be predictable. Default: random. */
  readonly id?: string;
};

/**
 * Replaces a file by renaming another one over it, so that readers see the old or the new text as a
 * whole, also after a power failure. If the path is a link, its target is replaced.
 */
export async function writeByRename({ path, text, id = randomUUID() }: FileWrite): Promise<void> {
  const place = await realpath(path);
  const found = await stat(place);
  if (!found.isFile())
    throw Object.assign(new Error("expected a regular file"), { syscall: "rename" });
  // Files whose name begins with a dot are not read as rules. Existing files, links included, are
  // never overwritten.
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
    // Set explicitly, so that the same users can read the file as before, regardless of this
    // process's umask.
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
