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

/** Options for a store that may be slow, wrong or unavailable. */
export type ResilienceOptions = {
  /** How long to wait for an answer, in milliseconds: 1 to a minute. Default: 50. */
  readonly deadline?: number | undefined;
  /**
   * How long calls wait for the store's first answer, in milliseconds from the first call, because
   * it connects and loads what it needs: 1 to a minute, at least `deadline`. Default: 1000.
   */
  readonly firstDeadline?: number | undefined;
  /** When to stop asking. Default: after 5 consecutive failures, with a probe every second. */
  readonly breaker?: Partial<BreakerSettings> | undefined;
  /**
   * The number of processes that share the limits: 1 to 10 000. Default: 1. In each of them, a
   * limit with `whenUnavailable: "local"` counts a part of this size, rounded down to whole units.
   * A limit with fewer units than instances refuses.
   */
  readonly instances?: number | undefined;
  /**
   * Receives failures, changes of breakers, and decisions without the store. Default: an
   * `outageLog`, which reports by `warn` when the store fails, and when it answers again.
   */
  readonly onEvent?: OnEvent | undefined;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn | undefined;
  /**
   * Creates the store that counts for limits with `whenUnavailable: "local"`: `memoryStore`.
   * Without it such a limit refuses.
   */
  readonly local?: LocalStore | undefined;
  /** Returns the time, for breakers and for local counting. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** The monotonic clock, timers and turns of the event loop. Only for tests. */
  readonly scheduler?: DeadlineScheduler | undefined;
};

/** The functions needed to wait for answers. */
export type DeadlineScheduler = Pick<Scheduler, "elapsed" | "afterDelay" | "afterTurn">;

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
  scheduler: given<DeadlineScheduler>(systemScheduler),
} satisfies OptionTable<ResilienceOptions>;

/** The options with defaults, after their checks. */
export type ResilienceSettings = Omit<OptionsOf<typeof TABLE>, "warn" | "onEvent"> & {
  readonly onEvent: OnEvent;
};

/**
 * @param name The store's name in messages.
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`
 */
export function checkedSettings(options: ResilienceOptions, name: string): ResilienceSettings {
  const { warn, ...settings } = readOptions({ of: "resilient" }, options, TABLE);
  return {
    ...settings,
    firstDeadline: Math.max(settings.deadline, settings.firstDeadline),
    onEvent: settings.onEvent ?? outageLog({ name, warn }),
  };
}
