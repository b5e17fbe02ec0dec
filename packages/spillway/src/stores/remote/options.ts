import {
  callable,
  clock,
  given,
  group,
  type OptionsOf,
  type OptionTable,
  readOptions,
  systemScheduler,
  warn,
  whole,
} from "../../internal/index.ts";
import {
  type Clock,
  HOUR,
  MINUTE,
  type Scheduler,
  SECOND,
  type Warn,
} from "../../limits/core/index.ts";
import type { BreakerSettings } from "./breaker.ts";
import type { OnEvent } from "./events.ts";
import type { LocalStore } from "./fallback.ts";
import { outageLog } from "./outage-log.ts";

/** What happens while a store is slow, wrong or gone. */
export type ResilienceOptions = {
  /** Milliseconds after which an answer is no longer waited for: 1 to a minute. Default: 50. */
  readonly deadline?: number | undefined;
  /**
   * Milliseconds, from the first call on, for which calls wait for the store's first answer: it connects, and
   * loads what it needs. 1 to a minute; at least `deadline`. Default: 1000.
   */
  readonly firstDeadline?: number | undefined;
  /** When to stop asking. Default: after 5 failures in a row, with a probe every second. */
  readonly breaker?: Partial<BreakerSettings> | undefined;
  /**
   * How many processes share the limits: 1 to 10 000. Default: 1. A limit whose `whenUnavailable` is
   * `"local"` counts a part of that size in each of them, rounded down to whole units: one with fewer
   * units than instances refuses.
   */
  readonly instances?: number | undefined;
  /**
   * Receives failures, the changes of breakers, and decisions without the store. Default: an `outageLog`, which
   * says by `warn` when the store fails, and when it answers again.
   */
  readonly onEvent?: OnEvent | undefined;
  /** Where warnings go. Default: the console. */
  readonly warn?: Warn | undefined;
  /**
   * Makes the store that counts where a limit's `whenUnavailable` is `"local"`: `memoryStore`. Without
   * it such a limit refuses.
   */
  readonly local?: LocalStore | undefined;
  /** Returns the time for breakers and for what counts locally. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** The clock that never steps, timers and turns of the event loop. For tests alone. */
  readonly scheduler?: Waiting | undefined;
};

/** What is needed to wait for answers. */
export type Waiting = Pick<Scheduler, "elapsed" | "afterDelay" | "afterTurn">;

const MILLION = 1_000_000;

const TABLE = {
  deadline: whole({ most: MINUTE, otherwise: 50 }),
  firstDeadline: whole({ most: MINUTE, otherwise: SECOND }),
  breaker: group({
    failures: whole({ most: MILLION, otherwise: 5 }),
    pause: whole({ most: HOUR, otherwise: SECOND }),
  }),
  instances: whole({ most: 10_000, otherwise: 1 }),
  onEvent: callable<OnEvent>(),
  warn,
  local: callable<LocalStore>(),
  clock,
  scheduler: given<Waiting>(systemScheduler),
} satisfies OptionTable<ResilienceOptions>;

/** The same, all said and checked. */
export type ResilienceSettings = Omit<OptionsOf<typeof TABLE>, "warn" | "onEvent"> & {
  readonly onEvent: OnEvent;
};

/**
 * @param name What messages call the store.
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function checkedSettings(options: ResilienceOptions, name: string): ResilienceSettings {
  const { warn, ...settings } = readOptions({ of: "resilient" }, options, TABLE);
  return {
    ...settings,
    firstDeadline: Math.max(settings.deadline, settings.firstDeadline),
    onEvent: settings.onEvent ?? outageLog({ name, warn }),
  };
}
