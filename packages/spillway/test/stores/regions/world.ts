/** Regions, processes and a network between them, in a time of their own; the stores are real ones, in memory. */
import { Schedule, type Scheduled } from "../../../src/internal/index.ts";
import type { AnswerTo, Command, Random, Store } from "../../../src/limits/core/index.ts";
import { type RegionStore, regionStore } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";

export const EPOCH = Date.UTC(2026, 0, 1);
/** Milliseconds after which a process gives up a call to another region. */
const DEADLINE = 1000;
/** Milliseconds by which a message may be late that is overtaken. */
const STRAYS = 3000;

export type WorldOptions = {
  readonly random: Random;
  readonly names: readonly string[];
  readonly parts: readonly number[];
  /** By how much the clock of each region's store is ahead. Default: not at all. */
  readonly skews?: readonly number[];
  readonly hold?: number;
  /** Milliseconds of one way between regions, at least and at most. */
  readonly delay: readonly [number, number];
  /** How probably a message is lost, */
  readonly loss?: number;
  /** arrives twice, */
  readonly twice?: number;
  /** or is overtaken by others. */
  readonly stray?: number;
  /** Learns of each command right before the store of a region carries it out. */
  readonly onCommand?: (command: Command, store: Store<"now">, region: number) => void;
};

/** A process stands still until an instant; its clock that never steps has not gone on for so many milliseconds. */
export type Sleep = { until: number; missed: number };

const AWAKE: Sleep = { until: 0, missed: 0 };

type ProcessOptions = {
  /** Default: those of the world. */
  readonly parts?: readonly number[];
  /** How many times as fast its clock goes. Default: 1. */
  readonly pace?: number;
  readonly sleep?: Sleep;
};

type Reaching = {
  readonly here: string;
  readonly parts: readonly number[];
  readonly names: readonly string[];
  readonly sleep?: Sleep | undefined;
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
      const store = memoryStore({ clock: () => EPOCH + this.now + skew, warn() {} });
      const execute: typeof store.execute = (command) => {
        options.onCommand?.(command, store, index);
        return store.execute(command);
      };
      return { timing: store.timing, execute } as Store;
    });
  }

  at(instant: number, call: () => void): Scheduled {
    return this.#schedule.add({ at: instant, item: call });
  }

  /** Lets time go by until an instant; after each event all that follows from it at once is done. */
  async run(until: number): Promise<void> {
    while (this.#schedule.next <= until) {
      this.now = Math.max(this.now, this.#schedule.next);
      this.#schedule.take()?.();
      await allThatFollows();
    }
    this.now = until;
  }

  /** A process in a region, whose own clock that never steps goes so much faster. */
  process(here: string, { parts, pace = 1, sleep = AWAKE }: ProcessOptions = {}): RegionStore {
    const { names, hold, random } = this.#options;
    const elapsed = () => (this.now - sleep.missed) * pace;
    const afterDelay = (ms: number, call: () => void) => {
      this.at(this.now + Math.ceil(ms), () => this.#awake(sleep, call));
    };
    return regionStore({
      here,
      regions: this.regions({ here, parts: parts ?? this.#options.parts, names, sleep }),
      hold,
      random,
      clock: () => EPOCH + this.now,
      scheduler: { elapsed, afterDelay },
    });
  }

  /** The regions, as a process in one of them reaches them. */
  regions({ here, parts, names, sleep }: Reaching) {
    return Object.fromEntries(
      names.map((name, index) => {
        const store = this.stores[this.#options.names.indexOf(name)] as Store;
        const reached = name === here ? store : this.#link({ from: here, to: name, store, sleep });
        return [name, { store: reached, part: parts[index] as number }];
      }),
    );
  }

  #link({ from, to, store, sleep = AWAKE }: Link): Store<"later"> {
    const execute = <C extends Command>(command: C) =>
      new Promise<AnswerTo<C>>((resolve, reject) => {
        const late = () => reject(LATE);
        const deadline = this.at(this.now + DEADLINE, () => this.#awake(sleep, late));
        const answered = (answer: AnswerTo<C>) => {
          this.#schedule.cancel(deadline);
          resolve(answer);
        };
        this.#carry(from, to, () => {
          const answer = store.execute(command) as AnswerTo<C>;
          this.#carry(to, from, () => this.#awake(sleep, () => answered(answer)));
        });
      });
    return { timing: "later", execute };
  }

  /** What reaches a process that sleeps waits until it is awake. */
  #awake(sleep: Sleep, call: () => void): void {
    if (sleep.until > this.now) this.at(sleep.until, call);
    else call();
  }

  /** A message is lost, arrives once, or twice, each after a time of its own. */
  #carry(from: string, to: string, arrive: () => void): void {
    const { random, delay, loss = 0, twice = 0, stray = 0 } = this.#options;
    const [least, most] = delay;
    const times = random() < loss ? 0 : random() < twice ? 2 : 1;
    for (let copy = 0; copy < times; copy++) {
      const usual = least + Math.floor(random() * (most - least + 1));
      const after = random() < stray ? usual + Math.floor(random() * STRAYS) : usual;
      this.at(this.now + after, () => {
        if (!this.cut.has(from) && !this.cut.has(to)) arrive();
      });
    }
  }
}

type Link = {
  readonly from: string;
  readonly to: string;
  readonly store: Store;
  readonly sleep?: Sleep | undefined;
};

/** Made once: each error would note where it was made. */
const LATE = new Error("late");

/**
 * Until every promise is settled that can be at this instant: Node empties its queue of them before the next tick.
 * A turn of the event loop would do the same, and cost more than an ask: the stores here wait for nothing but promises.
 */
function allThatFollows(): Promise<void> {
  return new Promise((done) => process.nextTick(done));
}
