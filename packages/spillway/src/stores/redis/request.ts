import { anchorOf } from "../../algorithms/index.ts";
import type { Ask, Budget, Kind, Plan } from "../../core/index.ts";
import type { Call } from "../../remote/index.ts";
import type { Keys } from "./keys.ts";

/** What the script calls the kinds. */
const NUMBERS: { readonly [K in Kind]: number } = {
  "token bucket": 1,
  "leaky bucket": 2,
  "fixed window": 3,
  "sliding window": 4,
  "sliding log": 5,
};

/** Each plan as the script reads it: written once. */
const written = new WeakMap<Plan, readonly string[]>();

/** Calls as the script's KEYS and ARGV; see `lua/take.lua`. */
export class Request {
  /** The states' keys. */
  readonly keys: string[] = [];
  /** The sliding logs' keys. */
  readonly logKeys: string[] = [];
  /** The plan of each state. */
  readonly plans: Plan[] = [];
  /** For each call, the places of its budgets among the states, from 0. */
  readonly places: number[][] = [];
  readonly #keyNames: Keys;
  /** Places by key; made for the second budget, for most requests on their own have only one. */
  #placeOf: Map<string, number> | undefined;
  /** The plans, in the order of their numbers: few. */
  readonly #sent: Plan[] = [];
  readonly #owners: number[] = [];
  readonly #extras: number[] = [];
  readonly #steps: number[] = [];
  #needsExtras = false;
  /** So far all steps take one unit of a budget that is new to this request. */
  #takesOneOfEach = true;

  constructor(calls: readonly Call[], keyNames: Keys) {
    this.#keyNames = keyNames;
    for (const call of calls) this.#add(call);
  }

  /**
   * The script's ARGV.
   *
   * @param now The time for the script to go by; undefined for the server's own.
   */
  arguments(now: number | undefined): string[] {
    const owners = this.#sent.length > 1 ? `[${this.#owners}]` : "";
    const extras = this.#needsExtras ? `[${this.#extras}]` : "";
    const steps = this.#takesOneOfEach ? "" : `[${this.#steps}]`;
    const first = [now === undefined ? "" : `${now}`, `${this.keys.length}`, owners, extras, steps];
    for (const plan of this.#sent) first.push(...writtenOf(plan));
    return first;
  }

  /** The keys of a state, for a message. */
  nameOf(place: number): string {
    const key = this.keys[place] as string;
    const isLogged = this.plans[place]?.kind === "sliding log";
    return isLogged ? `"${key}" or its log "${this.#keyNames.logKey(key)}"` : `"${key}"`;
  }

  #add(call: Call): void {
    const places = call.budgets.map((budget) => this.#place(budget));
    this.places.push(places);
    this.#need(call, places);
    this.#step(call, places);
  }

  #place(budget: Budget): number {
    const key = this.#keyNames.stateKey(budget);
    const known = this.#known(key);
    if (known !== undefined) return known;
    const { plan } = budget;
    const place = this.keys.push(key) - 1;
    this.#placeOf?.set(key, place);
    this.plans.push(plan);
    this.#owners.push(this.#numberOf(plan));
    this.#extras.push(plan.grid > 1 || plan.start !== undefined ? anchorOf(plan, budget.key) : 0);
    if (plan.kind === "sliding log") this.logKeys.push(this.#keyNames.logKey(key));
    return place;
  }

  #known(key: string): number | undefined {
    if (this.keys.length === 0) return undefined;
    this.#placeOf ??= new Map(this.keys.map((one, place) => [one, place]));
    return this.#placeOf.get(key);
  }

  #numberOf(plan: Plan): number {
    const known = this.#sent.lastIndexOf(plan);
    if (known >= 0) return known + 1;
    if (NUMBERS[plan.kind] >= NUMBERS["fixed window"]) this.#needsExtras = true;
    return this.#sent.push(plan);
  }

  /** How much of a log the answers depend on. */
  #need({ operation, budgets }: Call, places: readonly number[]): void {
    if (!this.#needsExtras) return;
    budgets.forEach(({ plan, ...ask }, index) => {
      if (plan.kind !== "sliding log") return;
      const place = places[index] as number;
      const all = operation === "settle" || operation === "look";
      const { count = 0 } = ask as Partial<Ask>;
      // What can never fit is refused whatever the log says.
      const units = count > plan.capacity ? 1 : Math.max(1, count);
      const before = this.#extras[place] as number;
      this.#extras[place] = all || before < 0 ? -1 : before + units;
    });
  }

  #step({ operation, budgets, settlement, ms }: Call, places: readonly number[]): void {
    const steps = this.#steps;
    const place = (places[0] as number) + 1;
    if (operation !== "limit") this.#takesOneOfEach = false;
    switch (operation) {
      case "limit":
      case "limitAll":
        this.#take(budgets as readonly Ask[], places);
        return;
      case "settle":
        steps.push(-2, place, settlement?.reserved ?? 0, settlement?.used ?? 0);
        return;
      case "reset":
        steps.push(-3, place);
        return;
      case "block":
        steps.push(-4, place, ms);
        return;
      case "unblock":
        steps.push(-5, place);
    }
  }

  #take(asks: readonly Ask[], places: readonly number[]): void {
    const { count, reserve } = asks[0] as Ask;
    if (asks.length === 1 && count === 1 && !reserve) {
      const place = this.#steps.push((places[0] as number) + 1);
      if (place !== (places[0] as number) + 1) this.#takesOneOfEach = false;
      return;
    }
    this.#takesOneOfEach = false;
    this.#steps.push(-1, asks.length);
    asks.forEach((ask, index) => {
      this.#steps.push((places[index] as number) + 1, ask.count, ask.reserve ? 1 : 0);
    });
  }
}

function writtenOf(plan: Plan): readonly string[] {
  const known = written.get(plan);
  if (known !== undefined) return known;
  const { kind, rate, period, capacity, maxReserved, start, scale, gain, full, spare } = plan;
  const debt = maxReserved === Number.POSITIVE_INFINITY ? undefined : maxReserved;
  const definition = [NUMBERS[kind], rate, period, capacity, debt, start].map(toBase36).join(",");
  const texts = [definition, ...[scale, gain, full, spare, rate, period].map(String)];
  written.set(plan, texts);
  return texts;
}

function toBase36(number: number | undefined): string {
  return number === undefined ? "-" : number.toString(36);
}
