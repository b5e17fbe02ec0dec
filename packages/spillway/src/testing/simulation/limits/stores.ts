/** The stores of a simulation, built for each process from the same layers as in production. */
import type { Random, Store } from "../../../limits/core/index.ts";
import { lent, regionStore, resilient, sharded } from "../../../stores/index.ts";
import { memoryStore } from "../../../stores/memory/index.ts";
import { seededRandom } from "../../seeded-random.ts";
import type { EventLoop } from "../event-loop.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { type CompleteLimitScenario, ONLY } from "./layout.ts";
import { quietMemory } from "./ledger.ts";
import { NetworkLink, RemoteExecutor } from "./network.ts";
import type { TimeInterval } from "./scenario.ts";

export type StoresParts = {
  readonly layout: CompleteLimitScenario;
  readonly time: VirtualTime;
  readonly loop: EventLoop;
  /** The random source of all seeds. */
  readonly chance: Random;
  /** Called for each command that is sent. */
  readonly sent: (how: { readonly isFar: boolean }) => void;
};

/** The process that uses the stores: its region, and whether it runs. */
export type Owner = { readonly region: string; readonly isUp: () => boolean };

export class Stores {
  readonly #parts: StoresParts;
  readonly #memories: ReadonlyMap<string, Store<"now">>;
  readonly #instances: number;

  constructor(parts: StoresParts) {
    const { layout, time } = parts;
    this.#parts = parts;
    const names = [...layout.processes.keys()];
    this.#memories = new Map(names.map((name) => [name, quietMemory(time.clock)]));
    this.#instances = [...layout.processes.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns a process's store: the only store, or a store that joins all regions. */
  open(owner: Owner): Store<"later"> {
    const { layout, time } = this.#parts;
    if (layout.regions === undefined) return this.#reach(ONLY, owner);
    const regions = Object.entries(layout.regions).map(([name, { part }]) => {
      return [name, { store: this.#reach(name, owner), part }] as const;
    });
    return regionStore({
      here: owner.region,
      regions: Object.fromEntries(regions),
      hold: layout.hold,
      clock: time.clock,
      scheduler: aliveOnly(this.#parts.loop, owner),
      random: this.nextRandom(),
    });
  }

  nextRandom(): Random {
    return seededRandom(Math.floor(this.#parts.chance() * 2 ** 32));
  }

  /** Returns the store of a region as a process reaches it over the network. */
  #reach(region: string, owner: Owner): Store<"later"> {
    const { layout, time, loop } = this.#parts;
    const isFar = region !== owner.region;
    const own = aliveOnly(loop, owner);
    const options = { clock: time.clock, scheduler: own, warn: () => {} };
    const deadline = isFar ? layout.farDeadline : layout.deadline;
    const instances = this.#instances;
    const local = memoryStore;
    const executor = this.#connect(region, owner);
    const store = resilient(executor, {
      deadline,
      // The connection is already open when a process starts, so the first call gets no longer
      // timeout.
      firstDeadline: deadline,
      local,
      instances,
      ...options,
    });
    const random = this.nextRandom();
    return lent(sharded(store, random), { random, ...options });
  }

  #connect(region: string, owner: Owner): RemoteExecutor {
    const { layout, time, loop, sent } = this.#parts;
    const isFar = region !== owner.region;
    const parts = { time, loop, random: this.nextRandom() };
    const delay = isFar ? layout.distance : layout.latency;
    const isOpen = () => this.#isReachable(region, owner);
    return new RemoteExecutor(region, this.#memories.get(region) as Store<"now">, {
      time,
      there: new NetworkLink(parts, { delay, isOpen }),
      back: new NetworkLink(parts, { delay, isOpen: () => isOpen() && owner.isUp() }),
      sent: () => sent({ isFar }),
    });
  }

  #isReachable(region: string, owner: Owner): boolean {
    const { outages, partitions } = this.#parts.layout;
    if (outages.some((one) => this.#isNow(one) && (one.region ?? region) === region)) return false;
    if (region === owner.region) return true;
    const ends = [region, owner.region];
    return !partitions.some((one) => this.#isNow(one) && ends.includes(one.region));
  }

  #isNow({ from, to }: TimeInterval): boolean {
    const { now } = this.#parts.time;
    return now >= from && now < to;
  }
}

/** Returns the scheduler of a process. Its callbacks no longer run once the process has stopped. */
function aliveOnly(loop: EventLoop, { isUp }: Owner) {
  const ifUp = (call: () => void) => () => {
    if (isUp()) call();
  };
  return {
    elapsed: loop.elapsed,
    afterDelay: (ms: number, call: () => void) => loop.afterDelay(ms, ifUp(call)),
    afterTurn: (call: () => void) => loop.afterTurn(ifUp(call)),
  };
}
