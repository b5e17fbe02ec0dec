/**
 * Notices that rule files have changed, however they are changed: written, renamed over by an editor,
 * or swapped by a symbolic link, as Kubernetes does with a ConfigMap.
 *
 * What counts is what the paths lead to now: it is read in short turns, and at once where the
 * system reports that something happened in a directory. Reports alone would not do: there are none
 * for some file systems, and after a swap they are about what is no longer read.
 */
import { type FSWatcher, watch } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterDelay } from "spillway/core";
import { isRuleFile } from "../rule-files.ts";

/** Milliseconds between two checks. */
const PAUSE = 2000;
/** Milliseconds for which nothing may change any more before files are read: half a file is none. */
const SETTLE = 100;

/** Calls `changed` when what the paths lead to has changed, and is steady. Returns how to end it. */
export async function watchFiles(
  paths: readonly string[],
  changed: () => Promise<void>,
): Promise<() => void> {
  let known = await signatureOf(paths);
  let isOpen = true;
  let isChecking = false;
  let isNoticed = false;
  let cancel = afterDelay(PAUSE, check);
  const watchers = watchersOf(paths, () => {
    // Once for all reports up to the check: a directory that is always written to must not put it off for ever.
    if (isNoticed) return;
    isNoticed = true;
    if (!isChecking) plan(SETTLE);
  });
  function plan(wait: number): void {
    cancel();
    cancel = afterDelay(wait, check);
  }
  function check(): void {
    isChecking = true;
    isNoticed = false;
    void steadySignature(paths)
      .then(async (now) => {
        if (now === known || !isOpen) return;
        known = now;
        await changed();
      })
      .finally(() => {
        isChecking = false;
        if (isOpen) plan(isNoticed ? SETTLE : PAUSE);
      });
  }
  return () => {
    isOpen = false;
    cancel();
    for (const watcher of watchers) watcher.close();
  };
}

/** Reports of the system; where it has none, regular checks alone have to do. */
function watchersOf(paths: readonly string[], notice: () => void): readonly FSWatcher[] {
  const watchers: FSWatcher[] = [];
  for (const directory of new Set(paths.flatMap((path) => [path, dirname(path)]))) {
    try {
      const watcher = watch(directory, { persistent: false }, notice);
      watcher.on("error", () => watcher.close());
      watchers.push(watcher);
    } catch {
      // It may be a file system without reports, or their number may be used up.
    }
  }
  return watchers;
}

async function steadySignature(paths: readonly string[]): Promise<string> {
  for (let last = await signatureOf(paths); ; ) {
    await new Promise<void>((resolve) => afterDelay(SETTLE, resolve));
    const now = await signatureOf(paths);
    if (now === last) return now;
    last = now;
  }
}

/** The state of the files at the paths: which they are, how long, how new. */
async function signatureOf(paths: readonly string[]): Promise<string> {
  const parts = await Promise.all(paths.map(signatureAt));
  return parts.join("\n");
}

async function signatureAt(path: string): Promise<string> {
  try {
    const place = await realpath(path);
    const found = await stat(place, { bigint: true });
    const { ino, size, mtimeNs, ctimeNs } = found;
    if (!found.isDirectory()) return [place, ino, size, mtimeNs, ctimeNs].join(" ");
    const names = (await readdir(path)).filter(isRuleFile).sort();
    const inside = await Promise.all(names.map((name) => signatureAt(join(path, name))));
    return [place, ...inside].join("\n");
  } catch (error) {
    return `${path} ${(error as NodeJS.ErrnoException).code}`;
  }
}
