/** Processes that share a limit through one store, decided by the library itself. Pure. */
import { type Limit, RateLimiter, type Store } from "spillway";
import { memoryStore } from "spillway/memory";
import { lent } from "spillway/store";
import { manualClock, seededRandom } from "spillway/testing";
import { type ProcessesPlay, STEP } from "./rows.ts";
import { endSentence, type ProcessEnd, totalSentence } from "./sentences.ts";
import { type ProcessesSetup, SECONDS, sharedLimit, workOf } from "./setup.ts";
import { Timers } from "./timers.ts";

const READINGS = (SECONDS * 1000) / STEP;

/** Plays a minute: calls evenly spaced, at each process in turn. */
export function playProcesses(setup: ProcessesSetup): ProcessesPlay {
  const stage = new Stage(setup);
  const calls = SECONDS * setup.load;
  for (let call = 0, step = 0; step < READINGS; step++) {
    for (; call < calls && timeOf(call, setup) < (step + 1) * STEP; call++) {
      stage.call(timeOf(call, setup));
    }
    stage.read((step + 1) * STEP);
  }
  return stage.play();
}

/** When a call arrives, in milliseconds. */
function timeOf(call: number, { load }: ProcessesSetup): number {
  return Math.floor((call * 1000) / load);
}

class Stage {
  readonly #setup: ProcessesSetup;
  readonly #timers: Timers;
  readonly #processes: readonly Process[];
  readonly #reader: RateLimiter<{ calls: Limit }>;
  readonly #left: number[] = [];
  readonly #missing: number[] = [];
  #end: ProcessEnd | undefined;
  #storeCalls = 0;
  #turn = 0;

  constructor(setup: ProcessesSetup) {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const execute: Store<"now">["execute"] = (command) => {
      this.#storeCalls++;
      return store.execute(command);
    };
    this.#setup = setup;
    this.#timers = new Timers(clock);
    // It holds nothing, and knows how long the store keeps lent places.
    const reading = lent({ timing: "now", execute: (command) => store.execute(command) });
    this.#reader = new RateLimiter(
      { calls: sharedLimit(setup) },
      { store: reading, warn: () => {} },
    );
    const shared = { store: { timing: "now", execute }, clock, timers: this.#timers } as const;
    this.#processes = Array.from(
      { length: setup.processes },
      (_, index) => new Process(setup, { ...shared, number: index + 1 }),
    );
    const last = this.#processes[setup.ends - 1];
    if (last !== undefined) {
      this.#timers.afterDelay(setup.at * 1000, () => {
        this.#end = last.end(setup.givesBack);
      });
    }
  }

  call(at: number): void {
    this.#timers.goTo(at);
    const open = this.#processes.filter(({ isOpen }) => isOpen);
    open[this.#turn++ % open.length]?.call();
  }

  read(at: number): void {
    this.#timers.goTo(at);
    const left = this.#reader.value("calls").remaining;
    const held = this.#processes.map((process) => process.read());
    this.#left.push(left);
    const isKilled = this.#end !== undefined && !this.#setup.givesBack;
    const isLeased = workOf(this.#setup) !== undefined;
    const out = this.#capacity - left - held.reduce((sum, units) => sum + units, 0);
    this.#missing.push(isKilled && isLeased ? Math.max(0, out) : 0);
  }

  play(): ProcessesPlay {
    const rows = this.#processes.map(({ row }) => row);
    const parts = { rows, left: this.#left, missing: this.#missing, capacity: this.#capacity };
    const played = { ...parts, storeCalls: this.#storeCalls };
    const end = this.#end && endSentence(this.#setup, this.#end, this.#missing);
    const sentences = [totalSentence(played), ...(end === undefined ? [] : [end])];
    return { ...played, sentences };
  }

  get #capacity(): number {
    return this.#reader.value("calls").capacity;
  }
}

type ProcessParts = {
  readonly store: Store<"now">;
  readonly clock: () => number;
  readonly timers: Timers;
  readonly number: number;
};

/** One process: its limiter, and what is counted. */
class Process {
  isOpen = true;
  readonly row;
  readonly #limiter: RateLimiter<{ calls: Limit }>;
  readonly #store: Store<"now">;
  readonly #timers: Timers;
  readonly #work: number | undefined;
  readonly #counts = { admitted: 0, refused: 0 };
  #inFlight = 0;
  #isUp = true;

  constructor(setup: ProcessesSetup, { store, clock, timers, number }: ProcessParts) {
    const scheduler = {
      elapsed: timers.elapsed,
      // What has been killed does nothing any more.
      afterDelay: (ms: number, call: () => void) => this.#later(ms, call),
    };
    this.#timers = timers;
    this.#work = workOf(setup);
    this.#store = lent(store, { clock, scheduler, random: seededRandom(number), warn: () => {} });
    const options = { store: this.#store, warn: () => {} };
    this.#limiter = new RateLimiter({ calls: sharedLimit(setup) }, options);
    const lists = { units: [] as number[], admitted: [] as number[], refused: [] as number[] };
    this.row = { name: `process ${number}`, ...lists };
  }

  call(): void {
    const { ok } = this.#work === undefined ? this.#limiter.limit("calls") : this.#acquire();
    this.#counts[ok ? "admitted" : "refused"]++;
  }

  /** Gives back what is idle, and ends its work; or is killed. */
  end(givesBack: boolean): ProcessEnd {
    const units = this.#units();
    const { inFlight, name } = { inFlight: this.#inFlight, name: this.row.name };
    this.isOpen = false;
    if (givesBack) this.#limiter.giveBack();
    else this.#isUp = false;
    return { name, units, inFlight };
  }

  read(): number {
    const units = this.#units();
    this.row.units.push(units);
    this.row.admitted.push(this.#counts.admitted);
    this.row.refused.push(this.#counts.refused);
    this.#counts.admitted = 0;
    this.#counts.refused = 0;
    return units;
  }

  #acquire(): { readonly ok: boolean } {
    const lease = this.#limiter.acquire("calls");
    if (!lease.ok) return lease;
    const work = this.#work ?? 0;
    this.#inFlight++;
    // A lease that nobody renews ends with its ttl, though its work goes on.
    this.#later(Math.min(work, lease.ttl), () => this.#inFlight--);
    this.#later(work, () => lease.release());
    return lease;
  }

  #later(ms: number, call: () => void): void {
    this.#timers.afterDelay(ms, () => {
      if (this.#isUp) call();
    });
  }

  #units(): number {
    if (!this.#isUp) return 0;
    return this.#inFlight + (this.#store.lending?.numbers().held ?? 0);
  }
}
