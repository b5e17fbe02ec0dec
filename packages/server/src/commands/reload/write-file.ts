import { open, realpath, rename, rm, stat } from "node:fs/promises";

/**
 * Writes a file by renaming another one over it: whoever reads it reads all of the old or all of the new
 * text, also after the machine has lost its power. Where the path is a link, what it leads to is written.
 */
export async function writeByRename(path: string, text: string): Promise<void> {
  const place = await realpath(path);
  const found = await stat(place);
  if (!found.isFile()) throw Object.assign(new Error("this is no file"), { syscall: "rename" });
  // Not `.yaml`, so that nobody reads it as rules.
  const beside = `${place}.${process.pid}.new`;
  try {
    const file = await open(beside, "w", found.mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, place);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
