/** Reads files whose path may have been replaced in the meantime. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { buffer } from "node:stream/consumers";

export type ReadBytesOptions = {
  readonly path: string;
  /** Reading stops one byte after this many: the file may be an endless device. */
  readonly longest: number;
  /** Whether to refuse pipes and devices, which may never deliver anything. */
  readonly regular: boolean;
};

/** Opening a pipe does not wait for a writer. Windows has no such pipes. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file. Its type is checked on the open file, because the path may lead elsewhere a moment
 * later.
 */
export async function readBytes({ path, longest, regular }: ReadBytesOptions): Promise<Buffer> {
  const file = await open(path, regular ? AT_ONCE : constants.O_RDONLY);
  try {
    if (regular && !(await file.stat()).isFile()) throw new Error("expected a regular file");
    return await buffer(file.createReadStream({ end: longest, autoClose: false }));
  } finally {
    await file.close();
  }
}
