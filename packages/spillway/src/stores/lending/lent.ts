import {
  checkedRandom,
  checkFunction,
  checkOptions,
  checkWhole,
  systemScheduler,
  warningsTo,
} from "../../internal/index.ts";
import {
  type Clock,
  checkedClock,
  type Random,
  type Scheduler,
  type Store,
  systemClock,
  type Timing,
  type Warn,
} from "../../limits/core/index.ts";
import type { OnEvent } from "../remote/events.ts";
import { LendingUsage } from "./lending-usage.ts";
import { LentStore } from "./lent-store.ts";
import { Readings } from "./readings.ts";

/** Options for lending units of a store to this process. */
export type LentOptions = {
  /** The maximum number of keys with units held here: 1 to 10⁶. Default: 10 000. */
  readonly maxKeys?: number | undefined;
  /** Called when units are drawn, given back, or expire. */
  readonly onEvent?: OnEvent | undefined;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn | undefined;
  /** The source of randomness for the ids of shares. Default: the runtime's own. */
  readonly random?: Random | undefined;
  /** The machine's clock. Only for tests. */
  readonly clock?: Clock | undefined;
  /** The monotonic clock and timers. Only for tests. */
  readonly scheduler?: Pick<Scheduler, "elapsed" | "afterDelay"> | undefined;
};

const OPTIONS = ["maxKeys", "onEvent", "warn", "random", "clock", "scheduler"] as const;

/**
 * Lends units of a store's limits with `share` to this process, which then decides in memory until
 * the units are used or expire. The limit admits no more than without.
 *
 * Limits without `share` pass through. The first ask on a key goes to the store unchanged. From the
 * second on, asks also draw as many units as are likely to be used, and units are given back after
 * two seconds without a call. A store in this process is returned unchanged, since lending would
 * save nothing.
 *
 * Not for limits where a block or a reset by another process must take effect at once.
 *
 * @param store A store that carries out `draw`.
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`
 */
export function lent<M extends Timing>(store: Store<M>, options: LentOptions = {}): Store<M> {
  checkOptions("lent", options, OPTIONS);
  const { maxKeys: most = 10_000, onEvent } = options;
  const { clock = systemClock, scheduler = systemScheduler } = options;
  checkWhole("maxKeys", most, { most: 1_000_000 });
  checkFunction("onEvent", onEvent);
  checkFunction("warn", options.warn);
  const random = checkedRandom(options.random);
  if (store.isOwn) return store;
  const usage = new LendingUsage(warningsTo(options.warn));
  const readings = new Readings(checkedClock(clock), () => scheduler.elapsed());
  return new LentStore({ store, readings, random, onEvent, usage, scheduler, most });
}
