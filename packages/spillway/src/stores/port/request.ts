/** A request to a port of the steps, in Lua or in SQL, and the answers worked out from its reply. */
import { anchorOf, EXACT, Steps } from "../../limits/algorithms/index.ts";
import type {
  Ask,
  Budget,
  Command,
  CommandOf,
  Observer,
  Plan,
  State,
  Verb,
} from "../../limits/core/index.ts";
import type { Outcome } from "./executor.ts";
import { SCRIPT_STEPS, STEPS } from "./protocol.ts";
import { RefusedWrites } from "./refused-writes.ts";

/** The steps that change one state, by their verbs. */
const CHANGES: {
  readonly [V in Verb]?: { readonly number: number; readonly fields: readonly string[] };
} = STEPS;

/** A port's arithmetic and that of the steps here disagree: neither may be believed. */
export class PortError extends Error {
  override readonly name = "PortError";
}

/**
 * Commands as numbers, for a port of the steps to carry out where states are kept: see `protocol.ts`.
 * Budgets, each of which is there once, are named by their places.
 */
export class PortRequest {
  readonly commands: readonly Command[];
  /** What the budgets are called where they are kept. */
  readonly names: string[] = [];
  /** The plan of each. */
  readonly plans: Plan[] = [];
  /** For each command, the places of its budgets, from 0. */
  readonly places: number[][] = [];
  /** The plans themselves, without repetition. */
  readonly sent: Plan[] = [];
  /** For each budget the number of its plan, from 1. */
  readonly owners: number[] = [];
  /** For each budget, where its kind has windows, an instant at which one begins; else 0. */
  readonly extras: number[] = [];
  /** None where nothing is changed. */
  readonly steps: number[] = [];
  /** Whether any budget's kind keeps a list. */
  keepsLists = false;
  /** Whether all steps take one unit of a budget that is new to this request. */
  takesOneOfEach = true;
  readonly #nameOf: (budget: Budget) => string;
  /** Places by name; made for the second budget, for most requests on their own have only one. */
  #placeOf: Map<string, number> | undefined;

  /**
   * @param nameOf What a budget is called; no two the same.
   * @param hasLooks Whether the port returns of lists only what steps depend on, those that read included.
   */
  constructor(
    commands: readonly Command[],
    nameOf: (budget: Budget) => string,
    { hasLooks = false }: { readonly hasLooks?: boolean } = {},
  ) {
    this.commands = commands;
    this.#nameOf = nameOf;
    for (const command of commands) {
      const places: number[] = [];
      for (const budget of command.budgets) places.push(this.#place(budget));
      this.places.push(places);
      if (command.verb === "limit") this.#take(command.budgets, places);
      else this.#change(command, places[0] as number);
      if (this.keepsLists && hasLooks) this.#look(command, places);
    }
  }

  #place(budget: Budget): number {
    const name = this.#nameOf(budget);
    const known = this.names.length === 0 ? undefined : this.#known(name);
    if (known !== undefined) return known;
    const { plan } = budget;
    const place = this.names.push(name) - 1;
    this.#placeOf?.set(name, place);
    this.plans.push(plan);
    this.owners.push(this.#numberOf(plan));
    const hasWindows = plan.windowAlignment > 1 || plan.start !== undefined;
    this.extras.push(hasWindows ? anchorOf(budget) : 0);
    return place;
  }

  #known(name: string): number | undefined {
    this.#placeOf ??= new Map(this.names.map((one, place) => [one, place]));
    return this.#placeOf.get(name);
  }

  #numberOf(plan: Plan): number {
    const known = this.sent.lastIndexOf(plan);
    if (known >= 0) return known + 1;
    const { list } = plan.algorithm;
    if (list === "log" || list === "leases") this.keepsLists = true;
    return this.sent.push(plan);
  }

  #take(asks: readonly Ask[], places: readonly number[]): void {
    const { count, reserve, lease } = asks[0] as Ask;
    if (asks.length === 1 && count === 1 && !reserve && lease === undefined) {
      const place = this.steps.push((places[0] as number) + 1);
      if (place !== (places[0] as number) + 1) this.takesOneOfEach = false;
      return;
    }
    this.takesOneOfEach = false;
    this.#ask(STEPS.take.number, asks, places);
  }

  #ask(step: number, asks: readonly Ask[], places: readonly number[]): void {
    this.steps.push(step, asks.length);
    asks.forEach(({ plan, count, reserve, lease }, index) => {
      const place = (places[index] as number) + 1;
      // Ports let a reservation use all that a key may owe, and not all of that may be reserved.
      const owed = reserve ? plan.debtTicks - plan.reservableTicks : 0;
      this.steps.push(place, count, Number(reserve), lease?.headroom ?? owed, lease?.id ?? 0);
    });
  }

  /** Reads of lists, which are no steps where a port returns lists as they are. */
  #look(command: Command, places: readonly number[]): void {
    const { verb, budgets } = command;
    if (budgets.every(({ plan }) => plan.algorithm.list === undefined)) return;
    if (verb === "check") this.#ask(SCRIPT_STEPS.look.number, budgets, places);
    if (verb !== "peek") return;
    const { units = EXACT } = command;
    for (const place of places) this.steps.push(SCRIPT_STEPS.show.number, place + 1, units);
  }

  #change(command: Command, place: number): void {
    this.takesOneOfEach = false;
    const step = CHANGES[command.verb];
    if (command.verb === "draw") this.#draw(command, place);
    if (command.verb === "draw" || step === undefined) return;
    const numbers: { readonly [field: string]: number } = {
      budget: place + 1,
      ...("lease" in command ? { lease: command.lease.id, count: command.lease.count } : {}),
      ...("settlement" in command ? command.settlement : {}),
      ...("ms" in command ? { ms: command.ms } : {}),
    };
    this.steps.push(step.number, ...step.fields.map((field) => numbers[field] ?? 0));
  }

  /** Holders of shares reserve without a draw: it has no headroom. */
  #draw({ budgets: [ask], draw }: CommandOf<"draw">, place: number): void {
    const { id, want, left, back } = draw;
    this.steps.push(
      STEPS.draw.number,
      place + 1,
      ask.count,
      Number(ask.reserve),
      id,
      want,
      left.length,
      back.length,
    );
    for (const { id, units } of [...left, ...back]) this.steps.push(id, units);
  }
}

/** What came back for a request. */
export type Reply = {
  /** The store's time, in milliseconds since 1970. */
  readonly now: number;
  /** How many budgets were charged: what the caller's own arithmetic has to agree with. */
  readonly charged: number;
  /**
   * The state of each budget of the request, as it was before; an error where there is none to be had,
   * for the commands on that budget alone.
   */
  readonly states: readonly (State | Error)[];
  /** Why nothing was written, where the store only reads at the moment: commands that write have failed. */
  readonly unwritten?: Error;
};

/**
 * Works out the answers to a request's commands from the states as they were before, as the port has
 * done: the same pure steps in the same order at the same instant. What one command writes the next
 * one sees.
 *
 * @throws PortError where the port charged otherwise.
 */
export function replay(
  { commands, places: allPlaces }: PortRequest,
  { now, charged, states, unwritten }: Reply,
  observer: Observer | undefined,
): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  const refusals = unwritten && new RefusedWrites(unwritten);
  const steps = new Steps((budget) => {
    const index = outcomes.length;
    const { budgets } = commands[index] as Command;
    const place = allPlaces[index]?.[(budgets as readonly Budget[]).indexOf(budget)] as number;
    const state = states[place] as State | Error;
    if (state instanceof Error) throw state;
    return state;
  }, observer);
  for (const command of commands) {
    try {
      const places = allPlaces[outcomes.length] as readonly number[];
      const answer =
        refusals === undefined
          ? steps.execute(command, now)
          : refusals.execute(command, places, (one) => steps.execute(one, now));
      outcomes.push({ answer });
    } catch (error) {
      outcomes.push({ error: error as Error });
    }
  }
  if (steps.charged === charged) return outcomes;
  throw new PortError(`${charged} budgets charged, expected ${steps.charged}`);
}
