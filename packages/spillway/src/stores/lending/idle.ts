import type { Scheduler } from "../../limits/core/index.ts";
import { EverySecond } from "./every-second.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentKeys } from "./lent-keys.ts";

/** A key that was not asked for between so many checks gives back what it holds. */
const IDLE_CHECKS = 2;

/** What is done with keys that are checked. */
export type IdleSettings = {
  readonly keys: LentKeys;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  /** Receives each key, and how often it was asked for since the last check. */
  readonly check: (key: LentKey, since: { readonly asks: number; readonly calls: number }) => void;
  /** Receives those that are not asked for any more. */
  readonly idle: (keys: readonly LentKey[]) => void;
};

/** Gives up keys that are not asked for any more. */
export class IdleWatch {
  readonly #settings: IdleSettings;
  readonly #checks: EverySecond;

  constructor(settings: IdleSettings) {
    const { keys, scheduler, idle } = settings;
    this.#settings = settings;
    this.#checks = new EverySecond(scheduler, () => {
      idle([...keys].filter((key) => this.note(key) >= IDLE_CHECKS && key.flight === undefined));
      return { isLast: keys.size === 0 };
    });
  }

  /** To be called when a key was added. */
  start(): void {
    this.#checks.start();
  }

  /** Checks a key, and returns for how many checks it has not been asked for. */
  note(key: LentKey): number {
    const { asks, calls, checked } = key;
    const since = { asks: asks - checked.asks, calls: calls - checked.calls };
    const idle = since.asks > 0 ? 0 : checked.idle + 1;
    key.checked = { asks, calls, idle };
    this.#settings.check(key, since);
    return idle;
  }
}
