/**
 * Processes that keep places of one store, in virtual time: their messages are delayed, lost, repeated and overtake
 * each other, their clocks drift, step and stand still. What is in flight is counted from what holders believe alone.
 */
import { planFor } from "../../src/limits/algorithms/index.ts";
import type {
  Answer,
  AnswerTo,
  Ask,
  Command,
  Concurrency,
  Plan,
  Store,
} from "../../src/limits/core/index.ts";
import { lent } from "../../src/stores/index.ts";
import type { ClockReading } from "../../src/stores/lending/readings.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../../src/testing/index.ts";

/** A message under way: to the store, or an answer of it. */
type Message = {
  readonly deliver: () => void;
  readonly lose: () => void;
  readonly repeat: () => void;
};

/** A lease as its holder knows it: it believes in it until then, by either clock. */
type Held = { readonly id: number; readonly count: number; until: ClockReading };

/** A process: its clocks go a little wrong. */
export type Process = {
  store: Store<"later">;
  timers: { at: number; call: () => void }[];
  readonly held: Map<number, Held>;
  readonly speed: number;
  asleep: number;
  behind: number;
};

export class PlacesWorld {
  readonly clock = manualClock();
  readonly plan: Plan;
  readonly processes: Process[];
  readonly #base = memoryStore({ clock: this.clock });
  /** Leases that the store was asked for. */
  #asked = 0;
  #seeds = 0;
  #messages: Message[] = [];
  #ids = 0;
  #blockedAt = Number.POSITIVE_INFINITY;
  /** Asks that were admitted by a process alone, and those of them that came too long after a block. */
  admittedHere = 0;
  admittedLate = 0;
  /** The most units in flight beyond the capacity. */
  excess = Number.NEGATIVE_INFINITY;

  constructor(limit: Concurrency) {
    this.plan = planFor("it", limit);
    this.processes = [0.9992, 1.0008, 1].map((speed) => this.#process(speed));
  }

  get underWay(): number {
    return this.#messages.length;
  }

  /** Asks for a lease; with another budget, if one is given. */
  ask(process: Process, { count, headroom = 0, other }: Asked): void {
    const id = ++this.#ids;
    const lease = { id, headroom };
    const ask: Ask = { plan: this.plan, key: "k", count, reserve: false, lease };
    const asked = this.#reading(process);
    const { store } = process;
    const before = this.#asked;
    const answer =
      other === undefined
        ? store.limit?.(ask).then((one) => [one])
        : store.execute({
            verb: "limit",
            budgets: [ask, { plan: other, key: "k", count: 1, reserve: false }],
          });
    const isHere = this.#asked === before;
    const at = this.clock();
    answer?.then(
      (all) => {
        // The process may be another one by now.
        if (process.store !== store || !all.every(({ ok }) => ok) || count === 0) return;
        if (isHere) this.#noteHere(at);
        this.#admitted(process, ask, asked);
      },
      () => {},
    );
  }

  /** Releases or renews one of the leases that a process has had, and perhaps believes in no more. */
  change(process: Process, verb: "release" | "renew", which: number): void {
    const all = [...process.held.values()];
    const one = all[which % Math.max(1, all.length)];
    if (one === undefined) return;
    const { id, count } = one;
    const { store } = process;
    const asked = this.#reading(process);
    if (verb === "release") process.held.delete(id);
    store.execute({ verb, budgets: [this.#budget], lease: { id, count } }).then(
      (isHeld) => {
        if (verb === "release" || !process.held.has(id)) return;
        // As a lease does that was renewed too late.
        if (isHeld) one.until = this.#endOf(asked);
        else process.held.delete(id);
        this.#count();
      },
      () => {},
    );
  }

  command(process: Process, verb: "reset" | "block" | "unblock" | "value" | "check"): void {
    const budget = { ...this.#budget, count: 1, reserve: false };
    const command = { verb, budgets: [budget], ...(verb === "block" && { ms: 86_400_000 }) };
    process.store.execute(command as unknown as Command).catch(() => {});
  }

  giveBack(process: Process): void {
    process.store.lending?.giveBack();
  }

  /** It dies with all that it held, and another one begins in its place. */
  crash(process: Process): void {
    process.held.clear();
    process.timers = [];
    process.store = this.#storeOf(process);
  }

  transmit(how: "deliver" | "lose" | "repeat", which: number): void {
    const index = which % Math.max(1, this.#messages.length);
    const message = this.#messages[index];
    if (how !== "repeat") this.#messages.splice(index, 1);
    message?.[how]();
  }

  /** Lets time pass, and timers go off. */
  pass(ms: number): void {
    this.clock.advance(ms);
    for (const process of this.processes) {
      const due = process.timers.filter(({ at }) => at <= this.#elapsed(process));
      process.timers = process.timers.filter((one) => !due.includes(one));
      for (const { call } of due) call();
    }
    this.#count();
  }

  stepBack(process: Process, ms: number): void {
    // What both clocks hide can't be seen.
    if (process.asleep > 0) return;
    process.behind += ms;
    this.command(process, "check");
  }

  sleep(process: Process, ms: number): void {
    if (process.behind === 0) process.asleep += ms;
    this.clock.advance(ms);
    this.#count();
  }

  /** Units that the store has left: what nobody holds, once all is over. */
  left(): number {
    const period = this.plan.share + Math.ceil((this.plan.period + 2) / 0.999);
    const plan = { ...this.plan, period, share: 0 };
    return this.#base.execute({ verb: "value", budgets: [{ plan, key: "k" }] }).remaining;
  }

  get #budget() {
    return { plan: this.plan, key: "k" } as const;
  }

  #admitted(process: Process, { count, lease }: Ask, asked: ClockReading): void {
    const id = lease?.id as number;
    const until = this.#endOf(asked);
    process.held.set(id, { id, count, until });
    this.#count();
  }

  /** What is here was decided on when it was asked for, even where another limit had to be waited for. */
  #noteHere(at: number): void {
    this.admittedHere++;
    if (at > this.#blockedAt + this.plan.share) this.admittedLate++;
  }

  #endOf({ elapsed, wall }: ClockReading): ClockReading {
    return { elapsed: elapsed + this.plan.period, wall: wall + this.plan.period };
  }

  #count(): void {
    let inFlight = 0;
    for (const process of this.processes) {
      const now = this.#reading(process);
      for (const { count, until } of process.held.values())
        if (now.elapsed < until.elapsed && now.wall < until.wall) inFlight += count;
    }
    this.excess = Math.max(this.excess, inFlight - this.plan.capacity);
  }

  #reading(process: Process): ClockReading {
    return { elapsed: this.#elapsed(process), wall: this.#wall(process) };
  }

  #elapsed({ speed, asleep }: Process): number {
    return (this.clock() - asleep) * speed;
  }

  #wall({ speed, behind }: Process): number {
    return Math.max(0, Math.floor(this.clock() * speed) - behind);
  }

  #process(speed: number): Process {
    const process = { timers: [], held: new Map(), speed, asleep: 0, behind: 0 };
    const made = process as Omit<Process, "store"> as Process;
    made.store = this.#storeOf(made);
    return made;
  }

  #storeOf(process: Process): Store<"later"> {
    const scheduler = {
      elapsed: () => this.#elapsed(process),
      afterDelay: (ms: number, call: () => void) => {
        process.timers.push({ at: this.#elapsed(process) + ms, call });
      },
    };
    const clock = () => this.#wall(process);
    const random = seededRandom(++this.#seeds);
    return lent(this.#remote(), { scheduler, clock, random, warn: () => {} });
  }

  /** The store, as a process reaches it. */
  #remote(): Store<"later"> {
    const execute = <C extends Command>(command: C): Answer<"later", AnswerTo<C>> => {
      const isAsk = command.verb === "limit" && command.budgets.some(({ lease }) => lease);
      if (isAsk) this.#asked++;
      return new Promise((resolve, reject) => {
        const lose = () => reject(new Error("lost"));
        const repeat = () => void this.#carryOut(command);
        const deliver = () => {
          const answer = this.#carryOut(command);
          this.#messages.push({ deliver: () => resolve(answer), lose, repeat: () => {} });
        };
        this.#messages.push({ deliver, lose, repeat });
      });
    };
    return { timing: "later", execute };
  }

  #carryOut<C extends Command>(command: C): AnswerTo<C> {
    if (command.verb === "block") this.#blockedAt = Math.min(this.#blockedAt, this.clock());
    if (command.verb === "unblock") this.#blockedAt = Number.POSITIVE_INFINITY;
    return this.#base.execute(command);
  }
}

/** What is asked for. */
export type Asked = {
  readonly count: number;
  readonly headroom?: number;
  readonly other?: Plan | undefined;
};
