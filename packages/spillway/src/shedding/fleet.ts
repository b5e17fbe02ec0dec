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
  type Mode,
  SECOND,
  SpillwayError,
  type Store,
  type WhenUnavailable,
} from "../limits/core/index.ts";
import { AdmissionTally } from "./admission-tally.ts";
import { FleetShedder } from "./fleet-shedder.ts";
import { type ShedderOptions, shedderTable } from "./options.ts";
import { shadowed } from "./shadowed.ts";
import type { Admission, ByPriority, Shedder } from "./shedder.ts";

/** Settings of a fleet shedder. */
export type FleetShedderOptions<M extends Mode = Mode> = ShedderOptions & {
  /** Where what is in flight is counted: the store that all processes of the fleet share. */
  readonly store: Store<M>;
  /** The most that the fleet can have in flight, 1 or more: as many as it has workers. */
  readonly capacity: number;
  /** After what time work that nobody has ended is forgotten. Default: a minute. */
  readonly ttl?: Duration;
  /**
   * The share of the capacity up to which each priority is admitted, from 0 to 1: no larger than
   * that of a priority that matters more. Default: 1 for `critical`, 0.8 for `normal`, 0.6 for
   * `low` and 0.4 for `background`.
   */
  readonly shares?: Partial<ByPriority>;
  /** What to answer while the store gives none. Default: `"open"`, for a shedder is no gate. */
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
 * Makes a shedder for a fleet of processes: one limit, with a part for what matters more.
 *
 * It bounds all that is in flight. While two fifths of the workers are busy `background` work is
 * refused, while three fifths are `low` too, and while four fifths are all but what is `critical`;
 * `shares` changes that. One round trip for each piece of work; it answers when the store does.
 * Work that lasts for longer than `ttl` is no longer counted.
 *
 * @throws SpillwayError `bad-share`, `bad-option`, `bad-store`, `bad-ttl`, `unknown-field`
 */
export function fleetShedder<M extends Mode>(
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
    mode: store.mode,
    acquire: (headroom) => limiter.acquire(name, { headroom }),
    capacity,
    random,
    headroom: unitsToLeave(capacity, shares),
  });
  return shadow ? shadowed(shedder) : shedder;
}

/** How many units each priority has to leave. @throws SpillwayError `bad-share`, `unknown-field` */
function unitsToLeave(capacity: number, given: Partial<ByPriority>): ByPriority {
  checkOptions("shares", given, PRIORITIES);
  const shares = { ...SHARES, ...given };
  const leave = { ...SHARES };
  let most = 1;
  for (const priority of PRIORITIES) {
    const share = shares[priority];
    if (!(share >= 0 && share <= most)) throw badShare(priority, share, most);
    most = share;
    // A small fleet has no parts, but an idle one serves everybody who has a share in it.
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
    hint: before && `What matters less can't have more than "${before}", which has ${most}`,
  });
}
