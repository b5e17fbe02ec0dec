/** Reading files whose paths may lead to something else by now. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { buffer } from "node:stream/consumers";

export type Reading = {
  readonly path: string;
  /** Bytes after which nothing more is read, but one: it may be a device that never ends. */
  readonly longest: number;
  /** Whether to refuse pipes and devices, of which nothing may ever come. */
  readonly regular: boolean;
};

/** Opening a pipe does not wait for who writes to it. Windows has no such pipes. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a file. What it is, is asked of the file that was opened: the path may lead elsewhere a moment later. */
export async function readBytes({ path, longest, regular }: Reading): Promise<Buffer> {
  const file = await open(path, regular ? AT_ONCE : constants.O_RDONLY);
  try {
    if (regular && !(await file.stat()).isFile()) throw new Error("this is no file");
    return await buffer(file.createReadStream({ end: longest, autoClose: false }));
  } finally {
    await file.close();
  }
}
