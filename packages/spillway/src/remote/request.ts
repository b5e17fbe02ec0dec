import { anchorOf } from "../algorithms/index.ts";
import type { Ask, Budget, Plan } from "../core/index.ts";
import type { Call, Operation } from "./call.ts";
import { KIND_NUMBERS, STEPS } from "./protocol.ts";

/** What depends on all that a list holds, or rewrites it. */
const WHOLE: ReadonlySet<Operation> = new Set(["settle", "look", "block"]);

/**
 * Calls as numbers, for a port of the steps to carry out where states are kept: see `protocol.ts`.
 * Budgets, each of which is there once, are named by their places.
 */
export class Request {
  /** What the budgets are called where they are kept. */
  readonly names: string[] = [];
  /** The plan of each. */
  readonly plans: Plan[] = [];
  /** For each call, the places of its budgets, from 0. */
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
  constructor(calls: readonly Call[], nameOf: (budget: Budget) => string) {
    this.#nameOf = nameOf;
    for (const call of calls) this.#add(call);
  }

  #add(call: Call): void {
    const places = call.budgets.map((budget) => this.#place(budget));
    this.places.push(places);
    this.#need(call, places);
    this.#step(call, places);
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
  #need({ operation, budgets, held }: Call, places: readonly number[]): void {
    if (!this.needsExtras) return;
    budgets.forEach(({ plan, ...ask }, index) => {
      if (!isListed(plan)) return;
      const place = places[index] as number;
      const { count = held?.count ?? 0, lease } = ask as Partial<Ask>;
      const all = WHOLE.has(operation);
      // As the steps count it: none asks whether one is left.
      const wanted = Math.max(1, count) + (lease?.headroom ?? 0);
      // What can never fit is refused whatever the log says.
      const units = wanted > plan.capacity ? 1 : wanted;
      this.extras[place] = all ? Number.POSITIVE_INFINITY : (this.extras[place] as number) + units;
    });
  }

  #step({ operation, budgets, settlement, held, ms }: Call, places: readonly number[]): void {
    const steps = this.steps;
    const place = (places[0] as number) + 1;
    if (operation !== "limit") this.takesOneOfEach = false;
    switch (operation) {
      case "limit":
      case "limitAll":
        this.#take(budgets as readonly Ask[], places);
        return;
      case "settle":
        steps.push(STEPS.settle.number, place, settlement?.reserved ?? 0, settlement?.used ?? 0);
        return;
      case "reset":
        steps.push(STEPS.reset.number, place);
        return;
      case "block":
        steps.push(STEPS.block.number, place, ms);
        return;
      case "unblock":
        steps.push(STEPS.unblock.number, place);
        return;
      case "release":
        steps.push(STEPS.release.number, place, held?.id ?? 0, held?.count ?? 0);
        return;
      case "renew":
        steps.push(STEPS.renew.number, place, held?.id ?? 0, held?.count ?? 0);
    }
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
