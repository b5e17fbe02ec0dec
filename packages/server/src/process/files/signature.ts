/** Signatures of rule files, without reading them: one changes whenever its files do. */
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterDelay } from "spillway/support";
import { isRuleFile } from "./rule-files.ts";

/** Milliseconds for which nothing may change any more before files are read: half a file is none. */
export const SETTLE = 100;

/** The same as `signatureOf`, once it has been the same for some time. */
export async function steadySignature(paths: readonly string[]): Promise<string> {
  for (let last = await signatureOf(paths); ; ) {
    await new Promise<void>((resolve) => afterDelay(SETTLE, resolve));
    const now = await signatureOf(paths);
    if (now === last) return now;
    last = now;
  }
}

/** The state of the files at the paths: which they are, how long, how new. */
export async function signatureOf(paths: readonly string[]): Promise<string> {
  const parts = await Promise.all(paths.map(signatureAt));
  return parts.join("\n");
}

async function signatureAt(path: string): Promise<string> {
  try {
    const place = await realpath(path);
    const found = await stat(place, { bigint: true });
    const { ino, size, mtimeNs, ctimeNs } = found;
    if (found.isFile()) return [place, ino, size, mtimeNs, ctimeNs].join(" ");
    // Whoever writes to a pipe changes its times, also while it is read at the start.
    if (!found.isDirectory()) return [place, ino].join(" ");
    const names = (await readdir(path)).filter(isRuleFile).sort();
    const inside = await Promise.all(names.map((name) => signatureAt(join(path, name))));
    return [place, ...inside].join("\n");
  } catch (error) {
    return `${path} ${(error as NodeJS.ErrnoException).code}`;
  }
}
