/** Where a run takes place: three regions, processes in each, definitions of one limit, and meters of what is admitted. */
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Limit, Plan, Random, StateSnapshot, Store } from "../../../src/limits/core/index.ts";
import type { RegionStore } from "../../../src/stores/index.ts";
import { partPlans } from "../../../src/stores/regions/parts.ts";
import {
  apartMeter,
  bucketMeter,
  type Freed,
  fixedMeter,
  type Meter,
  slidingMeter,
} from "./meters.ts";
import { type Sleep, World } from "./world.ts";

export const NAMES = ["ap", "eu", "us"] as const;
export const KEY = "k";
/** What rounding may make of sums of fractions, in units. */
const ROUNDING = 1e-6;

/** Milliseconds for which one process is asked most. */
const BUSY = 1500;

const METERS = {
  "token bucket": bucketMeter,
  "fixed window": fixedMeter,
  "sliding window": slidingMeter,
};
export type Metered = keyof typeof METERS;

/** A definition of the limit, and the parts that regions have of it: together they have a bound of their own. */
export type Version = {
  readonly plan: Plan;
  readonly parts: readonly number[];
  readonly meter: Meter;
};

export type Process = {
  readonly store: RegionStore;
  readonly here: string;
  readonly sleep: Sleep;
  version: Version;
};

export type SceneOptions = {
  readonly random: Random;
  readonly kind: Metered;
  /** Whether the clocks of regions differ, by up to two minutes. */
  readonly areApart: boolean;
};

type Range = { readonly least: number; readonly most: number };

/** A number of a range, bounds included. */
function between(random: Random, { least, most }: Range): number {
  return least + Math.floor(random() * (most - least + 1));
}

export class Scene {
  readonly random: Random;
  readonly world: World;
  readonly hold: number;
  /** Those that are in use. */
  readonly versions: readonly Version[];
  readonly processes: Process[];
  readonly #skews: readonly number[];
  /** A number of a range, bounds included. */
  readonly pick = (least: number, most: number): number => between(this.random, { least, most });
  #over = 0;
  #admitted = 0;
  #drawn = 0;

  constructor({ random, kind, areApart }: SceneOptions) {
    this.random = random;
    this.#skews = NAMES.map(() => (areApart ? this.pick(-60_000, 60_000) : 0));
    this.versions = this.#sampleVersions({ random, kind, areApart });
    this.hold = this.pick(100, 3000);
    this.world = this.#world();
    const processes = Array.from({ length: this.pick(3, 5) });
    this.processes = processes.map((_, index) => this.#process(index, this.versions[0] as Version));
  }

  one<T>(list: readonly T[]): T {
    return list[this.pick(0, list.length - 1)] as T;
  }

  /** The process that is asked most, as that changes. */
  get busy(): Process {
    return this.processes[Math.floor(this.world.now / BUSY) % this.processes.length] as Process;
  }

  isAwake({ sleep }: Process): boolean {
    return sleep.until <= this.world.now;
  }

  /** Units over the bound, at most; units that were admitted; and those that were drawn. */
  get seen() {
    const drawn = this.processes.reduce((all, { store }) => all + store.lending.numbers().lent, 0);
    return { over: this.#over, admitted: this.#admitted, drawn: this.#drawn + drawn };
  }

  /** Notes what a process has admitted. */
  admit({ version: { meter } }: Process, units: number): void {
    const excess = meter.add(units, this.world.now);
    this.#admitted += units;
    if (excess > ROUNDING) this.#over = Math.max(this.#over, excess);
  }

  /** Another process takes the place of one that is asked no more. */
  replace(process: Process, version = process.version): void {
    const index = this.processes.indexOf(process);
    this.#drawn += process.store.lending.numbers().lent;
    this.processes[index] = this.#process(index, version);
  }

  /** The program of a process goes on with another version. */
  reload(process: Process, version: Version): void {
    const { store, here, sleep } = process;
    const { parts } = version;
    if (parts !== process.version.parts) {
      store.change(this.world.regions({ here, parts, names: NAMES, sleep }));
    }
    process.version = version;
  }

  /** One mostly; two of which the definition differs, or the parts, or both. */
  #sampleVersions({ random, kind, areApart }: SceneOptions): readonly Version[] {
    const made = (plan: Plan, parts: readonly number[]): Version => {
      // Windows of regions whose clocks differ are not the same: each region's part has a bound of its own then.
      const isApart = areApart && kind !== "token bucket";
      const regions = { parts, skews: this.#skews };
      return { plan, parts, meter: isApart ? apartMeter(plan, regions) : METERS[kind](plan) };
    };
    const sampleParts = () => NAMES.map(() => this.pick(1, 4));
    const [plan, parts] = [samplePlan(random, kind), sampleParts()];
    const next = random() < 0.7 ? samplePlan(random, kind) : plan;
    const nextParts = next === plan || random() < 0.5 ? sampleParts() : parts;
    return [made(plan, parts), ...(random() < 0.3 ? [made(next, nextParts)] : [])];
  }

  #process(index: number, version: Version): Process {
    const sleep = { until: 0, missed: 0 };
    // Within a thousandth of the store's.
    const pace = 1 + (this.random() - 0.5) / 501;
    const here = NAMES[index % 3] as string;
    const store = this.world.process(here, { parts: version.parts, pace, sleep });
    return { store, here, sleep, version };
  }

  #world(): World {
    const { random } = this;
    // Half of all runs know nothing of a fault, so that others are seen in them.
    const upTo = (most: number) => (random() < 0.5 ? 0 : random() * most);
    return new World({
      random,
      names: NAMES,
      parts: (this.versions[0] as Version).parts,
      skews: this.#skews,
      hold: this.hold,
      delay: [0, this.pick(1, 300)],
      loss: upTo(0.2),
      twice: upTo(0.6),
      stray: upTo(0.4),
      onCommand: ({ verb }, store, region) => verb === "reset" && this.#noteReset(store, region),
    });
  }

  /** What a reset lets come again, under each version. */
  #noteReset(store: Store<"now">, region: number): void {
    for (const { plan, parts, meter } of this.versions) {
      const part = partPlans(plan, parts, this.hold)[region] as Plan;
      const budgets = [{ plan: part, key: KEY }];
      const [snapshot] = store.execute({ verb: "peek", budgets });
      if (snapshot !== undefined) meter.free(freedBy(snapshot, part), this.world.now);
    }
  }
}

/** What was used, but for what is lent. */
function freedBy({ state, now }: StateSnapshot, plan: Plan): Freed {
  plan.algorithm.advance(state, plan, now);
  const lent = state.leases?.units ?? 0;
  const { countsPerUnit } = plan;
  return { units: state.used / countsPerUnit - lent, previous: state.previous / countsPerUnit };
}

/** Full again after a time that holds, and faults of the network, are about as long as. */
function samplePlan(random: Random, kind: Metered): Plan {
  const rate = between(random, { least: 12, most: 60 });
  const period = between(random, { least: 200, most: 3000 });
  const capacity = between(random, { least: 12, most: 2 * rate });
  return planFor("it", limitOf({ kind, rate, period, capacity }));
}

function limitOf({
  kind,
  ...numbers
}: {
  kind: Metered;
  rate: number;
  period: number;
  capacity: number;
}): Limit {
  const { capacity, ...pace } = numbers;
  if (kind === "token bucket") return { kind, ...numbers };
  if (kind === "fixed window") return { kind, ...numbers, start: 0 };
  return { kind, ...pace, start: 0 };
}
