/**
 * Notices changes of rule files in every form: written, replaced by an editor's rename, or swapped
 * by a symbolic link, as Kubernetes does with a ConfigMap.
 *
 * The state of the paths is checked at short intervals, and at once when the system reports an
 * event in a directory. Events alone are not enough: some file systems report none, and after a
 * swap they concern files that are no longer read.
 */
import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { afterDelay } from "spillway/support";
import { SETTLE, signatureOf, steadySignature } from "./signature.ts";

/** Milliseconds between two checks, by default. */
const PAUSE = 2000;

export type WatchOptions = {
  readonly paths: readonly string[];
  /** The result of `signatureOf` before the files were read. Default: its result now. */
  readonly seen?: string | undefined;
  readonly changed: () => Promise<void>;
  /** Milliseconds between two checks where the system reports no events. Default: 2000. */
  readonly pause?: number | undefined;
};

/**
 * Calls `changed` when the files have changed and are steady again. Returns the function that stops
 * it.
 */
export async function watchFiles(options: WatchOptions): Promise<() => void> {
  const { paths, seen, changed, pause = PAUSE } = options;
  const known = seen ?? (await signatureOf(paths));
  const watched = new FileWatcher(paths, { known, changed, pause });
  const watchers = watchersOf(paths, () => watched.notice());
  return () => {
    watched.close();
    for (const watcher of watchers) watcher.close();
  };
}

type FileWatchState = {
  readonly known: string;
  readonly changed: () => Promise<void>;
  readonly pause: number;
};

/** Checks paths at intervals, one check at a time, and soon after an event. */
class FileWatcher {
  readonly #paths: readonly string[];
  readonly #changed: () => Promise<void>;
  readonly #pause: number;
  #known: string;
  #isOpen = true;
  #isChecking = false;
  #isNoticed = false;
  #cancel = () => {};

  constructor(paths: readonly string[], { known, changed, pause }: FileWatchState) {
    this.#paths = paths;
    this.#known = known;
    this.#changed = changed;
    this.#pause = pause;
    this.#plan(pause);
  }

  /**
   * Schedules one check for all events before it. A directory with constant events can't delay the
   * check forever.
   */
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
      if (this.#isOpen) this.#plan(this.#isNoticed ? SETTLE : this.#pause);
    }
  }
}

/** Watches for events of the system. Without them, only the checks at intervals find changes. */
function watchersOf(paths: readonly string[], notice: () => void): readonly FSWatcher[] {
  const watchers: FSWatcher[] = [];
  for (const directory of new Set(paths.flatMap((path) => [path, dirname(path)]))) {
    try {
      const watcher = watch(directory, { persistent: false }, notice);
      watcher.on("error", () => watcher.close());
      watchers.push(watcher);
    } catch {
      // The file system may report no events, or the number of watchers may be exhausted.
    }
  }
  return watchers;
}
