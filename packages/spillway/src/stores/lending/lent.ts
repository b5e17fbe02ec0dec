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
  type Mode,
  type Random,
  type Scheduler,
  type Store,
  systemClock,
  type Warn,
} from "../../limits/core/index.ts";
import type { OnEvent } from "../remote/events.ts";
import { LentStore } from "./lent-store.ts";
import { Readings } from "./readings.ts";
import { Usage } from "./usage.ts";

/** How units of a store are held in this process. */
export type LentOptions = {
  /** The most keys of which units are held here: 1 to a million. Default: 10 000. */
  readonly maxKeys?: number | undefined;
  /** Receives what is drawn, given back, and over. */
  readonly onEvent?: OnEvent | undefined;
  /** Where warnings go. Default: the console. */
  readonly warn?: Warn | undefined;
  /** Where the ids of shares come from. Default: the runtime's own. */
  readonly random?: Random | undefined;
  /** The machine's clock. For tests alone. */
  readonly clock?: Clock | undefined;
  /** The clock that never steps, and timers. For tests alone. */
  readonly scheduler?: Pick<Scheduler, "elapsed" | "afterDelay"> | undefined;
};

const OPTIONS = ["maxKeys", "onEvent", "warn", "random", "clock", "scheduler"] as const;

/**
 * Has a store lend units of limits with `share` to this process, which then decides in memory until these are used
 * or their time is over. The limit admits no more than without.
 *
 * What has no `share` passes through. The first ask on a key goes to the store as ever; from the second, units are
 * drawn with the asks, as many as are likely to be used, and given back after two seconds without any. A store of
 * this process is returned as it is: nothing is saved there.
 *
 * Not where a block or a reset elsewhere has to be seen at once.
 *
 * @param store One that carries out `draw`.
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`
 */
export function lent<M extends Mode>(store: Store<M>, options: LentOptions = {}): Store<M> {
  checkOptions("lent", options, OPTIONS);
  const { maxKeys: most = 10_000, onEvent } = options;
  const { clock = systemClock, scheduler = systemScheduler } = options;
  checkWhole("maxKeys", most, { most: 1_000_000 });
  checkFunction("onEvent", onEvent);
  checkFunction("warn", options.warn);
  const random = checkedRandom(options.random);
  if (store.isOwn) return store;
  const usage = new Usage(warningsTo(options.warn));
  const readings = new Readings(checkedClock(clock), () => scheduler.elapsed());
  return new LentStore({ store, readings, random, onEvent, usage, scheduler, most });
}
