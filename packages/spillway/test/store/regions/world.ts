/** Regions, processes and a network between them, in a time of their own; the stores are real ones, in memory. */
import type { AnswerTo, Command, Random, Store } from "../../../src/core/index.ts";
import { Schedule } from "../../../src/internal/index.ts";
import { type RegionStore, regionStore } from "../../../src/store/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";

export const EPOCH = Date.UTC(2026, 0, 1);
/** Milliseconds after which a process gives up a call to another region. */
const DEADLINE = 1000;

export type WorldOptions = {
  readonly random: Random;
  readonly names: readonly string[];
  readonly parts: readonly number[];
  /** By how much the clock of each region's store is ahead. Default: not at all. */
  readonly skews?: readonly number[];
  readonly hold?: number;
  /** Milliseconds of one way between regions, at least and at most. */
  readonly delay: readonly [number, number];
  /** How probably a message is lost, or arrives twice. */
  readonly loss?: number;
};

export class World {
  now = 0;
  /** Regions that are cut off from the others. */
  readonly cut = new Set<string>();
  readonly stores: readonly Store[];
  readonly #options: WorldOptions;
  readonly #schedule = new Schedule();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.stores = options.names.map((_, index) => {
      const skew = options.skews?.[index] ?? 0;
      return memoryStore({ clock: () => EPOCH + this.now + skew, warn() {} }) as Store;
    });
  }

  at(instant: number, call: () => void): void {
    this.#schedule.add({ at: instant, call });
  }

  /** Lets time go by until an instant; after each event all that follows from it at once is done. */
  async run(until: number): Promise<void> {
    while (this.#schedule.next <= until) {
      this.now = Math.max(this.now, this.#schedule.next);
      this.#schedule.take()?.();
      await new Promise((done) => setImmediate(done));
    }
    this.now = until;
  }

  /** A process in a region, whose own clock that never steps goes so much faster. */
  process(here: string, pace = 1): RegionStore {
    const { names, parts, hold, random } = this.#options;
    const elapsed = () => this.now * pace;
    const afterDelay = (ms: number, call: () => void) => this.at(this.now + Math.ceil(ms), call);
    return regionStore({
      here,
      regions: this.regions(here, parts, names),
      hold,
      random,
      clock: () => EPOCH + this.now,
      scheduler: { elapsed, afterDelay },
    });
  }

  /** The regions, as a process in one of them reaches them. */
  regions(here: string, parts: readonly number[], names: readonly string[]) {
    return Object.fromEntries(
      names.map((name, index) => {
        const store = this.stores[this.#options.names.indexOf(name)] as Store;
        const reached = name === here ? store : this.#link(here, name, store);
        return [name, { store: reached, part: parts[index] as number }];
      }),
    );
  }

  #link(from: string, to: string, store: Store): Store<"later"> {
    const execute = <C extends Command>(command: C) =>
      new Promise<AnswerTo<C>>((resolve, reject) => {
        this.at(this.now + DEADLINE, () => reject(new Error("late")));
        this.#carry(from, to, () => {
          const answer = store.execute(command) as AnswerTo<C>;
          this.#carry(to, from, () => resolve(answer));
        });
      });
    return { mode: "later", execute };
  }

  /** A message is lost, arrives once, or twice, each after a time of its own. */
  #carry(from: string, to: string, arrive: () => void): void {
    const { random, delay, loss = 0 } = this.#options;
    const [least, most] = delay;
    const times = random() < loss ? 0 : random() < loss ? 2 : 1;
    for (let copy = 0; copy < times; copy++) {
      const after = least + Math.floor(random() * (most - least + 1));
      this.at(this.now + after, () => {
        if (!this.cut.has(from) && !this.cut.has(to)) arrive();
      });
    }
  }
}
