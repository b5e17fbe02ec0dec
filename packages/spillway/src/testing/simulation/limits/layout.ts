/** Checks a scenario and adds its defaults. Pure. */
import { badOption, checkFlag, checkOptions, checkWhole } from "../../../internal/index.ts";
import { RateLimiter } from "../../../limiter/index.ts";
import { MINUTE, SpillwayError } from "../../../limits/core/index.ts";
import { memoryStore } from "../../../stores/memory/index.ts";
import { type Distribution, fixed } from "../distributions.ts";
import type {
  LimitScenario,
  LimitTraffic,
  ProcessStop,
  SimulatedRegion,
  TimeInterval,
} from "./scenario.ts";

const FIELDS = [
  "seed",
  "duration",
  "limits",
  "traffic",
  "processes",
  "regions",
  "latency",
  "distance",
  "deadline",
  "farDeadline",
  "hold",
  "stops",
  "outages",
  "partitions",
  "width",
] as const;
const TRAFFIC = ["limit", "rate", "key", "count", "region", "processes", "name"] as const;
const STOP = ["at", "process", "region", "until", "givesBack"] as const;

const LONGEST = 1_000_000_000;
const MOST_PROCESSES = 1000;
/** The name of the only region, for scenarios without regions. */
export const ONLY = "here";

/** A scenario with all defaults filled in. */
export type CompleteLimitScenario = Required<
  Omit<LimitScenario, "processes" | "regions" | "hold">
> & {
  readonly hold: number | undefined;
  /** The number of processes in each region, by the region's name. */
  readonly processes: ReadonlyMap<string, number>;
  /** The regions; undefined if all processes share one store. */
  readonly regions: { readonly [name: string]: SimulatedRegion } | undefined;
};

/**
 * Returns a scenario with its defaults. @throws SpillwayError with a path as `field`, such as
 * `traffic.0.rate`
 */
export function layoutOf(scenario: LimitScenario): CompleteLimitScenario {
  checkOptions("simulateLimits", scenario, FIELDS);
  const { seed = 1, duration, limits, traffic, regions, hold, width = 1000 } = scenario;
  const { deadline = 50, farDeadline = 2000, stops = [], outages = [], partitions = [] } = scenario;
  const { latency = fixed(0.5), distance = fixed(40) } = scenario;
  checkWhole("seed", seed, { least: 0, most: 2 ** 32 - 1 });
  checkWhole("duration", duration, { most: LONGEST });
  checkWhole("width", width, { most: LONGEST });
  checkWhole("deadline", deadline, { most: MINUTE });
  checkWhole("farDeadline", farDeadline, { most: MINUTE });
  const times = {
    latency: checkedTime("latency", latency),
    distance: checkedTime("distance", distance),
  };
  const processes = processesOf(scenario);
  checkTraffic(scenario, processes);
  each("stops", stops, (stop, field) => checkStop(stop, field, processes));
  each("outages", outages, (spell, field) => checkSpell(spell, field, processes));
  each("partitions", partitions, (spell, field) => {
    checkSpell(spell, field, processes);
    if (spell.region === undefined) throw badRegion(`${field}.region`, undefined, processes);
  });
  const lists = { traffic, stops, outages, partitions };
  const numbers = { seed, duration, width, deadline, farDeadline, hold };
  return { limits, ...lists, ...numbers, ...times, processes, regions };
}

function processesOf({ processes, regions }: LimitScenario): ReadonlyMap<string, number> {
  if (regions === undefined) {
    checkWhole("processes", processes ?? 1, { most: MOST_PROCESSES });
    return new Map([[ONLY, processes ?? 1]]);
  }
  if (processes !== undefined) {
    throw badOption("processes", processes, "nothing, for each region says how many it has");
  }
  checkOptions("regions", regions, Object.keys(regions));
  const names = Object.keys(regions);
  if (names.length === 0) throw badOption("regions", regions, "regions by name");
  return new Map(names.map((name) => [name, processesIn(`regions.${name}`, regions[name])]));
}

function processesIn(field: string, region: SimulatedRegion | undefined): number {
  checkOptions(field, region as SimulatedRegion, ["part", "processes"]);
  const { part, processes = 1 } = region as SimulatedRegion;
  checkWhole(`${field}.part`, part, { most: 1000 });
  checkWhole(`${field}.processes`, processes, { most: MOST_PROCESSES });
  return processes;
}

type Processes = ReadonlyMap<string, number>;

function checkTraffic({ limits, traffic }: LimitScenario, processes: Processes): void {
  // The limiter checks the limits, and whether calls may take that many units.
  const limiter = new RateLimiter(limits as never, { store: memoryStore() });
  each("traffic", traffic, (one, field) => {
    checkOptions(field, one, TRAFFIC);
    const { limit, rate, key, count, region, processes: which } = one;
    const isKey = key === undefined || typeof key === "string" || typeof key === "function";
    if (!isKey) throw badOption(`${field}.key`, key, "text, or a function that draws it");
    limiter.check(limit as never, { ...(count !== undefined && { count }) });
    checkRate(`${field}.rate`, rate);
    checkRegion(`${field}.region`, region, processes);
    if (which === undefined) return;
    if (!Array.isArray(which) || which.length === 0) {
      throw badOption(`${field}.processes`, which, "a list of processes, such as [0, 1]");
    }
    for (const name of region === undefined ? processes.keys() : [region]) {
      const most = (processes.get(name) as number) - 1;
      for (const index of which) checkWhole(`${field}.processes`, index, { least: 0, most });
    }
  });
}

function checkRate(field: string, rate: LimitTraffic["rate"]): void {
  const isCurve = Number.isFinite(rate?.most) && rate.most >= 0 && typeof rate.at === "function";
  if (!isCurve) throw badOption(field, rate, "a curve of calls a second, such as constant(900)");
}

function checkStop(stop: ProcessStop, field: string, processes: Processes): void {
  checkOptions(field, stop, STOP);
  const { at, process: index, region, until, givesBack = false } = stop;
  checkInstant(`${field}.at`, at);
  if (until !== undefined) checkInstant(`${field}.until`, until, at);
  checkFlag(`${field}.givesBack`, givesBack);
  checkRegion(`${field}.region`, region, processes);
  if (region === undefined && processes.size > 1) {
    throw badRegion(`${field}.region`, region, processes);
  }
  const most = (processes.get(region ?? onlyOf(processes)) as number) - 1;
  checkWhole(`${field}.process`, index, { least: 0, most });
}

function checkSpell(
  spell: TimeInterval & { readonly region?: string },
  field: string,
  processes: Processes,
): void {
  checkOptions(field, spell, ["from", "to", "region"]);
  checkInstant(`${field}.from`, spell.from);
  checkInstant(`${field}.to`, spell.to, spell.from);
  checkRegion(`${field}.region`, spell.region, processes);
}

function checkInstant(field: string, value: number, least = 0): void {
  if (value >= least && value <= LONGEST) return;
  throw badOption(field, value, `milliseconds from ${least} to ${LONGEST}`);
}

function checkRegion(field: string, region: string | undefined, processes: Processes): void {
  if (region !== undefined && !processes.has(region)) throw badRegion(field, region, processes);
}

function badRegion(field: string, value: unknown, processes: Processes): SpillwayError {
  const expected = `the name of one of the regions: ${[...processes.keys()].join(", ")}`;
  return new SpillwayError({ code: "bad-region", field, value, expected });
}

/** Returns the first region, for scenarios that have only one. */
export function onlyOf(processes: Processes): string {
  return [...processes.keys()][0] as string;
}

function each<T>(field: string, list: readonly T[], check: (one: T, field: string) => void): void {
  if (!Array.isArray(list)) throw badOption(field, list, "a list");
  for (const [index, one] of list.entries()) check(one, `${field}.${index}`);
}

/**
 * Wraps a distribution so that a bad value throws an error that names the field. A NaN would break
 * the order of events.
 */
function checkedTime(field: string, distribution: Distribution): Distribution {
  if (typeof distribution !== "function") {
    throw badOption(field, distribution, "a distribution of milliseconds, such as fixed(2)");
  }
  return (random) => {
    const ms = distribution(random);
    if (ms >= 0 && ms <= LONGEST) return ms;
    throw badOption(field, ms, `milliseconds from 0 to ${LONGEST}`);
  };
}
