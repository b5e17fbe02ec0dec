import { anchorOf } from "../../algorithms/index.ts";
import type { Ask, Budget, Command, Plan, Verb } from "../../core/index.ts";
import { KIND_NUMBERS, STEPS } from "./protocol.ts";

/** What depends on all that a list holds, or rewrites it. */
const WHOLE: ReadonlySet<Verb> = new Set(["settle", "peek", "block"]);

/** The steps that change one state, by their verbs. */
const CHANGES: {
  readonly [V in Verb]?: { readonly number: number; readonly fields: readonly string[] };
} = STEPS;

/** What a command says in numbers, by the names of the protocol. */
function numbersOf(command: Command): { readonly [field: string]: number } {
  if ("lease" in command) return { lease: command.lease.id, count: command.lease.count };
  if ("settlement" in command) return command.settlement;
  return "ms" in command ? { ms: command.ms } : {};
}

/**
 * Commands as numbers, for a port of the steps to carry out where states are kept: see `protocol.ts`.
 * Budgets, each of which is there once, are named by their places.
 */
export class PortRequest {
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
  /**
   * For each budget, where its kind has windows, an instant at which one begins; for a sliding log
   * and a concurrency limit, how many units its answers depend on beyond those that are over its
   * capacity; else 0.
   */
  readonly extras: number[] = [];
  readonly steps: number[] = [];
  /** Whether any budget needs an extra. */
  needsExtras = false;
  /** Whether all steps take one unit of a budget that is new to this request. */
  takesOneOfEach = true;
  readonly #nameOf: (budget: Budget) => string;
  /** Places by name; made for the second budget, for most requests on their own have only one. */
  #placeOf: Map<string, number> | undefined;

  /** @param nameOf What a budget is called; no two the same. */
  constructor(commands: readonly Command[], nameOf: (budget: Budget) => string) {
    this.#nameOf = nameOf;
    for (const command of commands) this.#add(command);
  }

  #add(command: Command): void {
    const places = command.budgets.map((budget) => this.#place(budget));
    this.places.push(places);
    if (this.needsExtras) this.#need(command, places);
    this.#step(command, places);
  }

  #place(budget: Budget): number {
    const name = this.#nameOf(budget);
    const known = this.#known(name);
    if (known !== undefined) return known;
    const { plan } = budget;
    const place = this.names.push(name) - 1;
    this.#placeOf?.set(name, place);
    this.plans.push(plan);
    this.owners.push(this.#numberOf(plan));
    this.extras.push(
      plan.windowAlignment > 1 || plan.start !== undefined ? anchorOf(plan, budget.key) : 0,
    );
    return place;
  }

  #known(name: string): number | undefined {
    if (this.names.length === 0) return undefined;
    this.#placeOf ??= new Map(this.names.map((one, place) => [one, place]));
    return this.#placeOf.get(name);
  }

  #numberOf(plan: Plan): number {
    const known = this.sent.lastIndexOf(plan);
    if (known >= 0) return known + 1;
    if (KIND_NUMBERS[plan.kind] >= KIND_NUMBERS["fixed window"]) this.needsExtras = true;
    return this.sent.push(plan);
  }

  /** How much of a log the answers depend on. */
  #need(command: Command, places: readonly number[]): void {
    const { verb, budgets } = command;
    const held = "lease" in command ? command.lease : undefined;
    budgets.forEach(({ plan, ...ask }, index) => {
      if (!isListed(plan)) return;
      const place = places[index] as number;
      const { count = held?.count ?? 0, lease } = ask as Partial<Ask>;
      const all = WHOLE.has(verb);
      // As the steps count it: none asks whether one is left.
      const wanted = Math.max(1, count) + (lease?.headroom ?? 0);
      // What can never fit is refused whatever the log says.
      const units = wanted > plan.capacity ? 1 : wanted;
      this.extras[place] = all ? Number.POSITIVE_INFINITY : (this.extras[place] as number) + units;
    });
  }

  #step(command: Command, places: readonly number[]): void {
    if (command.verb === "limit") {
      this.#take(command.budgets, places);
      return;
    }
    this.takesOneOfEach = false;
    const step = CHANGES[command.verb];
    if (step === undefined) return;
    const numbers = numbersOf(command);
    const place = (places[0] as number) + 1;
    const said = step.fields.map((field) => (field === "budget" ? place : (numbers[field] ?? 0)));
    this.steps.push(step.number, ...said);
  }

  #take(asks: readonly Ask[], places: readonly number[]): void {
    const { count, reserve, lease } = asks[0] as Ask;
    if (asks.length === 1 && count === 1 && !reserve && lease === undefined) {
      const place = this.steps.push((places[0] as number) + 1);
      if (place !== (places[0] as number) + 1) this.takesOneOfEach = false;
      return;
    }
    this.takesOneOfEach = false;
    this.steps.push(STEPS.take.number, asks.length);
    asks.forEach(({ count, reserve, lease }, index) => {
      const place = (places[index] as number) + 1;
      this.steps.push(place, count, Number(reserve), lease?.headroom ?? 0, lease?.id ?? 0);
    });
  }
}

/** Whether what was taken is kept one by one, so that an answer need not tell all of it. */
export function isListed(plan: Plan | undefined): boolean {
  return plan?.kind === "sliding log" || plan?.kind === "concurrency";
}
