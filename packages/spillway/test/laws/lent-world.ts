/**
 * Processes that hold units of one store, in virtual time: their messages are delayed, lost and repeated, their
 * clocks drift, step and stand still, and the machine's timers go off late. Meters know only the admissions.
 */
import { planFor } from "../../src/limits/algorithms/index.ts";
import type {
  Answer,
  AnswerTo,
  Ask,
  Command,
  Decision,
  Limit,
  Plan,
  Store,
} from "../../src/limits/core/index.ts";
import { lent } from "../../src/stores/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock, seededRandom } from "../../src/testing/index.ts";
import type { Meter } from "./meter.ts";

/** A message under way: to the store, or an answer of it. */
type Message = { readonly deliver: () => void; readonly lose: () => void };

/** A process: its clocks go a little wrong. */
export type Process = {
  readonly store: Store<"later">;
  /** The definition that it has of the limit. */
  plan: Plan;
  readonly timers: { at: number; call: () => void }[];
  readonly speed: number;
  asleep: number;
  behind: number;
  isUp: boolean;
};

export class LentWorld {
  readonly clock = manualClock();
  /** Definitions of the limit that are in use. */
  readonly plans: readonly Plan[];
  readonly processes: Process[];
  readonly #meters: ReadonlyMap<Plan, Meter>;
  readonly #base = memoryStore({ clock: this.clock });
  /** Asks that the store has charged: those were admitted there and then. */
  readonly #charged = new WeakSet<Ask>();
  #messages: Message[] = [];
  #resets = 0;
  /** Asks that were admitted at all, here or there. */
  admitted = 0;
  admittedHere = 0;

  /** @param limits Definitions of one limit; all processes begin with the first. */
  constructor(limits: readonly Limit[], meterOf: (plan: Plan) => Meter) {
    this.plans = limits.map((limit) => planFor("it", limit));
    this.#meters = new Map(this.plans.map((plan) => [plan, meterOf(plan)]));
    this.processes = [0.9992, 1.0008, 1].map((speed, seed) => this.#process(speed, seed));
  }

  /** Each definition has a bound of its own: together they admit what they would apart, at most. */
  get excess(): number {
    return Math.max(...[...this.#meters.values()].map(({ excess }) => excess));
  }

  get underWay(): number {
    return this.#messages.length;
  }

  ask(process: Process, count: number): void {
    if (!process.isUp) return;
    const ask: Ask = { plan: process.plan, key: "k", count, reserve: false };
    const answer = process.store.limit?.(ask) as Promise<Decision>;
    // It may have waited for a draw of another ask: it is admitted when that has brought units.
    answer.then(
      ({ ok }) => this.#answered(ask, ok, { at: this.clock(), resets: this.#resets }),
      () => {},
    );
  }

  /** Together with another limit, of which nothing is lent. Units held here are taken at once, and put back on refusal. */
  askTogether(process: Process, count: number, other: Plan): void {
    if (!process.isUp) return;
    const ask: Ask = { plan: process.plan, key: "k", count, reserve: false };
    const asked = { at: this.clock(), resets: this.#resets };
    const beside: Ask = { plan: other, key: "k", count: 1, reserve: false };
    process.store.execute({ verb: "limit", budgets: [ask, beside] }).then(
      (all) =>
        this.#answered(
          ask,
          all.every(({ ok }) => ok),
          asked,
        ),
      () => {},
    );
  }

  command(process: Process, verb: "reset" | "block" | "unblock" | "value"): void {
    if (!process.isUp) return;
    const budgets = [{ plan: process.plan, key: "k" }] as const;
    const command = verb === "block" ? { verb, budgets, ms: 200 } : { verb, budgets };
    process.store.execute(command as Command).then(
      () => {},
      () => {},
    );
  }

  giveBack(process: Process): void {
    process.store.lending?.giveBack();
  }

  /** Something happens to a message under way. */
  transmit(how: "deliver" | "lose", which: number): void {
    const index = which % Math.max(1, this.#messages.length);
    const message = this.#messages[index];
    this.#messages.splice(index, 1);
    message?.[how]();
  }

  /** Lets time pass, and timers of processes that are up go off. */
  pass(ms: number): void {
    this.clock.advance(ms);
    for (const process of this.processes) {
      const due = process.timers.filter(({ at }) => at <= this.#elapsed(process));
      process.timers.splice(
        0,
        process.timers.length,
        ...process.timers.filter((one) => !due.includes(one)),
      );
      if (process.isUp) for (const { call } of due) call();
    }
  }

  /** Its clock shows an earlier time, and it sees that. */
  stepBack(process: Process, ms: number): void {
    // What both clocks hide can't be seen.
    if (process.asleep > 0) return;
    process.behind += ms;
    const budgets = [{ plan: process.plan, key: "k", count: 1, reserve: false }] as const;
    process.store.execute({ verb: "check", budgets }).catch(() => {});
  }

  sleep(process: Process, ms: number): void {
    if (process.behind === 0) process.asleep += ms;
    this.clock.advance(ms);
  }

  /** An answer, and when its units were taken: at what instant, and after how many resets. */
  #answered(ask: Ask, ok: boolean, { at, resets }: { at: number; resets: number }): void {
    if (!ok) return;
    this.admitted++;
    if (this.#charged.has(ask)) return;
    // What was set aside before a reset was admitted before it, and counts no more.
    if (resets < this.#resets) return;
    this.admittedHere++;
    this.#meters.get(ask.plan)?.add(at, ask.count);
  }

  #process(speed: number, seed: number): Process {
    const timers: Process["timers"] = [];
    const [plan] = this.plans as readonly [Plan];
    const clocks = { speed, asleep: 0, behind: 0 };
    const process: Omit<Process, "store"> = { plan, timers, ...clocks, isUp: true };
    const scheduler = {
      elapsed: () => this.#elapsed(process),
      afterDelay: (ms: number, call: () => void) => {
        timers.push({ at: this.#elapsed(process) + ms, call });
      },
    };
    const clock = () => Math.max(0, Math.floor(this.clock() * speed) - process.behind);
    const store = lent(this.#remote(), {
      scheduler,
      clock,
      random: seededRandom(seed + 1),
      warn: () => {},
    });
    return Object.assign(process, { store });
  }

  #elapsed({ speed, asleep }: Pick<Process, "speed" | "asleep">): number {
    return (this.clock() - asleep) * speed;
  }

  /** The store, as a process reaches it. */
  #remote(): Store<"later"> {
    const execute = <C extends Command>(command: C): Answer<"later", AnswerTo<C>> =>
      new Promise((resolve, reject) => {
        const lose = () => reject(new Error("lost"));
        const deliver = () => {
          const answer = this.#carryOut(command);
          this.#messages.push({ deliver: () => resolve(answer), lose });
        };
        this.#messages.push({ deliver, lose });
      });
    return { timing: "later", execute };
  }

  #carryOut<C extends Command>(command: C): AnswerTo<C> {
    const answer = this.#base.execute(command);
    if (command.verb === "reset") {
      for (const meter of this.#meters.values()) meter.reset();
      this.#resets++;
    }
    if (command.verb !== "limit" && command.verb !== "draw") return answer;
    const decisions =
      command.verb === "draw"
        ? [(answer as { decision: Decision }).decision]
        : (answer as readonly Decision[]);
    if (!decisions.every(({ ok }) => ok)) return answer;
    for (const ask of command.budgets) {
      this.#charged.add(ask);
      this.#meters.get(ask.plan)?.add(this.clock(), ask.count);
    }
    return answer;
  }
}
