import {
  checkOptions,
  given,
  type OptionTable,
  PRIORITIES,
  type Priority,
  readOptions,
  whole,
} from "../internal/index.ts";
import { RateLimiter } from "../limiter/index.ts";
import {
  type Answer,
  checkWhenUnavailable,
  type Duration,
  MOST_UNITS,
  SECOND,
  SpillwayError,
  type Store,
  type Timing,
  type WhenUnavailable,
} from "../limits/core/index.ts";
import { AdmissionTally } from "./admission-tally.ts";
import { FleetShedder } from "./fleet-shedder.ts";
import { type ShedderOptions, shedderTable } from "./options.ts";
import { shadowed } from "./shadowed.ts";
import type { Admission, ByPriority, Shedder } from "./shedder.ts";

/** Options of a fleet shedder. */
export type FleetShedderOptions<M extends Timing = Timing> = ShedderOptions & {
  /** The store that counts the work in flight. All processes of the fleet share it. */
  readonly store: Store<M>;
  /** The maximum work in flight in the fleet: 1 or more, usually the number of its workers. */
  readonly capacity: number;
  /** The time after which work that was never ended is no longer counted. Default: a minute. */
  readonly ttl?: Duration;
  /**
   * The share of the capacity that must be in use before a priority is refused: 0 to 1. It can't be
   * larger than the share of a more important priority. Default: 1 for `critical`, 0.8 for
   * `normal`, 0.6 for `low` and 0.4 for `background`.
   */
  readonly shares?: Partial<ByPriority>;
  /**
   * The answer while the store is unavailable. Default: `"open"`, because a shedder is not access
   * control.
   */
  readonly whenUnavailable?: WhenUnavailable;
};

const TABLE = {
  ...shedderTable("fleet"),
  store: given<Store>(),
  capacity: whole({ most: MOST_UNITS }),
  ttl: given<Duration>(60 * SECOND),
  shares: given<Partial<ByPriority>>({}),
  whenUnavailable: (value: unknown = "open") => {
    checkWhenUnavailable(value as WhenUnavailable);
    return value as WhenUnavailable;
  },
} satisfies OptionTable<FleetShedderOptions>;
const SHARES: ByPriority = { critical: 1, normal: 0.8, low: 0.6, background: 0.4 };

/**
 * Creates a shedder for a fleet of processes: one limit, with a part for more important work.
 *
 * It bounds all work in flight. By default `background` work is refused while two fifths of the
 * capacity are in use. `low` work is also refused from three fifths, and `normal` work from four
 * fifths; `shares` changes that. Each piece of work takes one round trip, and the answer comes when
 * the store answers. Work that lasts longer than `ttl` is no longer counted.
 *
 * @throws SpillwayError `bad-share`, `bad-option`, `bad-store`, `bad-ttl`, `unknown-field`
 */
export function fleetShedder<M extends Timing>(
  options: FleetShedderOptions<M>,
): Shedder<Admission | Answer<M, Admission>> {
  const settings = readOptions({ of: "fleetShedder" }, options, TABLE);
  const { name, capacity, ttl, shares, whenUnavailable, random, shadow } = settings;
  const limit = { kind: "concurrency", capacity, ttl, whenUnavailable } as const;
  const store = options.store ?? null;
  const limiter = new RateLimiter({ [name]: limit }, { store, random });
  const shedder = new FleetShedder<M>({
    name,
    tally: new AdmissionTally(settings),
    timing: store.timing,
    acquire: (headroom) => limiter.acquire(name, { headroom }),
    capacity,
    random,
    headroom: unitsToLeave(capacity, shares),
  });
  return shadow ? shadowed(shedder) : shedder;
}

/**
 * Returns the units that each priority must leave free. @throws SpillwayError `bad-share`,
 * `unknown-field`
 */
function unitsToLeave(capacity: number, given: Partial<ByPriority>): ByPriority {
  checkOptions("shares", given, PRIORITIES);
  const shares = { ...SHARES, ...given };
  const leave = { ...SHARES };
  let most = 1;
  for (const priority of PRIORITIES) {
    const share = shares[priority];
    if (!(share >= 0 && share <= most)) throw badShare(priority, share, most);
    most = share;
    // A share of a small capacity can be less than a unit. Then an idle fleet still admits one.
    const units = share > 0 ? Math.max(1, Math.floor(capacity * share)) : 0;
    leave[priority] = capacity - units;
  }
  return leave;
}

function badShare(priority: Priority, value: unknown, most: number): SpillwayError {
  const before = PRIORITIES[PRIORITIES.indexOf(priority) - 1];
  return new SpillwayError({
    code: "bad-share",
    field: `shares.${priority}`,
    value,
    expected: `a share from 0 to ${most}`,
    hint: before && `A lower priority can't have more than "${before}", which has ${most}`,
  });
}
