/**
 * Computes signatures of rule files without reading them. A signature changes whenever its files
 * do.
 */
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterDelay } from "spillway/support";
import { isRuleFile } from "./rule-files.ts";

/**
 * How long files must be unchanged before they are read, in milliseconds. Otherwise a half-written
 * file could be read.
 */
export const SETTLE = 100;

/** Returns `signatureOf` once it has not changed for some time. */
export async function steadySignature(paths: readonly string[]): Promise<string> {
  for (let last = await signatureOf(paths); ; ) {
    await new Promise<void>((resolve) => afterDelay(SETTLE, resolve));
    const now = await signatureOf(paths);
    if (now === last) return now;
    last = now;
  }
}

/** Returns the state of the files at the paths: their identities, lengths and times. */
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
    // Writing to a pipe changes its times, also while it is read at the start.
    if (!found.isDirectory()) return [place, ino].join(" ");
    const names = (await readdir(path)).filter(isRuleFile).sort();
    const inside = await Promise.all(names.map((name) => signatureAt(join(path, name))));
    return [place, ...inside].join("\n");
  } catch (error) {
    return `${path} ${(error as NodeJS.ErrnoException).code}`;
  }
}
