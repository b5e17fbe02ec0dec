import {
  checkOptions,
  checkWhenUnavailable,
  type Duration,
  MOST_UNITS,
  type Mode,
  SECOND,
  SpillwayError,
  type Store,
  type WhenUnavailable,
} from "../core/index.ts";
import { type Lease, RateLimiter } from "../limiter/index.ts";
import { FleetShedder } from "./fleet-shedder.ts";
import { checkWhole, commonOptions, SHEDDER_OPTIONS, type ShedderOptions } from "./options.ts";
import { PRIORITIES, type Priority } from "./priority.ts";
import { shadowed } from "./shadowed.ts";
import type { ByPriority, Shedder } from "./shedder.ts";
import { Tally } from "./tally.ts";

/** Settings of a fleet shedder. */
export type FleetShedderOptions = ShedderOptions & {
  /** Where what is in flight is counted: the store that all processes of the fleet share. */
  readonly store: Store<Mode>;
  /** The most that the fleet can have in flight: as many as it has workers. */
  readonly capacity: number;
  /** After what time work that nobody has ended is forgotten; a minute unless said. */
  readonly ttl?: Duration;
  /**
   * The share of the capacity up to which each priority is admitted, from 0 to 1: no larger than that
   * of a priority that matters more. 1 for `critical`, 0.8 for `normal`, 0.6 for `low` and 0.4 for
   * `background` unless said.
   */
  readonly shares?: Partial<ByPriority>;
  /** What to answer while the store gives none; `"open"` unless said: a shedder is no gate. */
  readonly whenUnavailable?: WhenUnavailable;
};

const OWN = ["store", "capacity", "ttl", "shares", "whenUnavailable"];
const SHARES: ByPriority = { critical: 1, normal: 0.8, low: 0.6, background: 0.4 };

/**
 * Makes a shedder for a fleet of processes: one limit on all that is in flight, of which each priority
 * leaves a part to those that matter more.
 *
 * While three fifths of the workers are busy, `background` work is refused and all other gets in;
 * while all but a fifth are, only what is `critical`. One round trip for each piece of work. Work that
 * lasts for longer than `ttl` is no longer counted.
 *
 * @throws SpillwayError `bad-share`, `bad-option`, `bad-store`, `bad-ttl`, `bad-priority`
 */
export function fleetShedder(options: FleetShedderOptions): Shedder {
  checkOptions("fleetShedder", options, [...SHEDDER_OPTIONS, ...OWN]);
  const common = commonOptions(options, "fleet");
  const { store, capacity, ttl = 60 * SECOND, whenUnavailable = "open" } = options;
  checkWhole("capacity", capacity, { least: 1, most: MOST_UNITS });
  checkWhenUnavailable(whenUnavailable);
  const limit = { kind: "concurrency", capacity, ttl, whenUnavailable } as const;
  const { name, random } = common;
  const limiter = new RateLimiter({ [name]: limit }, { store, random });
  const acquire = (leave: number) => limiter.acquire(name, { leave }) as Promise<Lease<Mode>>;
  const leave = unitsToLeave(capacity, options.shares ?? {});
  const shedder = new FleetShedder({ name, tally: new Tally(common), acquire, capacity, leave });
  return common.shadow ? shadowed(shedder) : shedder;
}

/** How many units each priority has to leave. @throws SpillwayError `bad-share`, `bad-priority` */
function unitsToLeave(capacity: number, given: Partial<ByPriority>): ByPriority {
  checkOptions("shares", given, PRIORITIES);
  const shares = { ...SHARES, ...given };
  const leave = { ...SHARES };
  let most = 1;
  for (const priority of PRIORITIES) {
    const share = shares[priority];
    if (!(share >= 0 && share <= most)) throw badShare(priority, share, most);
    most = share;
    leave[priority] = capacity - Math.floor(capacity * share);
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
