/**
 * Notices that rule files have changed, however they are changed: written, renamed over by an editor,
 * or swapped by a symbolic link, as Kubernetes does with a ConfigMap.
 *
 * What counts is what the paths lead to now: it is read in short turns, and at once where the
 * system reports that something happened in a directory. Reports alone would not do: there are none
 * for some file systems, and after a swap they are about what is no longer read.
 */
import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { afterDelay } from "spillway/support";
import { SETTLE, signatureOf, steadySignature } from "./signature.ts";

/** Milliseconds between two checks. */
const PAUSE = 2000;

export type Watch = {
  readonly paths: readonly string[];
  /** The result of `signatureOf` before the files were read. Default: its result now. */
  readonly seen?: string | undefined;
  readonly changed: () => Promise<void>;
};

/** Calls `changed` when what the paths lead to has changed, and is steady. Returns how to end it. */
export async function watchFiles({ paths, seen, changed }: Watch): Promise<() => void> {
  const watched = new Watched(paths, { known: seen ?? (await signatureOf(paths)), changed });
  const watchers = watchersOf(paths, () => watched.notice());
  return () => {
    watched.close();
    for (const watcher of watchers) watcher.close();
  };
}

type Watching = { readonly known: string; readonly changed: () => Promise<void> };

/** Checks paths in turns, one check after the other, and soon after something was noticed. */
class Watched {
  readonly #paths: readonly string[];
  readonly #changed: () => Promise<void>;
  #known: string;
  #isOpen = true;
  #isChecking = false;
  #isNoticed = false;
  #cancel = () => {};

  constructor(paths: readonly string[], { known, changed }: Watching) {
    this.#paths = paths;
    this.#known = known;
    this.#changed = changed;
    this.#plan(PAUSE);
  }

  /** Once for all reports up to the check: a directory that is always written to must not put it off for ever. */
  notice(): void {
    if (this.#isNoticed) return;
    this.#isNoticed = true;
    if (!this.#isChecking) this.#plan(SETTLE);
  }

  close(): void {
    this.#isOpen = false;
    this.#cancel();
  }

  #plan(wait: number): void {
    this.#cancel();
    this.#cancel = afterDelay(wait, () => void this.#check());
  }

  async #check(): Promise<void> {
    this.#isChecking = true;
    this.#isNoticed = false;
    try {
      const now = await steadySignature(this.#paths);
      if (now === this.#known || !this.#isOpen) return;
      this.#known = now;
      await this.#changed();
    } finally {
      this.#isChecking = false;
      if (this.#isOpen) this.#plan(this.#isNoticed ? SETTLE : PAUSE);
    }
  }
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
