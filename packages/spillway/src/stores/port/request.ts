/**
 * Builds a request to a port of the steps, in Lua or SQL, and computes the answers from its reply.
 */
import { anchorOf, EXACT, Steps } from "../../limits/algorithms/index.ts";
import type {
  Ask,
  Budget,
  Command,
  CommandOf,
  Observer,
  PenaltySettings,
  Plan,
  State,
  Verb,
} from "../../limits/core/index.ts";
import type { CommandOutcome } from "./executor.ts";
import { SCRIPT_STEPS, STEPS } from "./protocol.ts";
import { RefusedWrites } from "./refused-writes.ts";

/** The steps that change one state, by their verbs. */
const CHANGES: {
  readonly [V in Verb]?: { readonly number: number; readonly fields: readonly string[] };
} = STEPS;

/** The fields of a step after which refusals do not count. */
const NO_PENALTY: PenaltySettings = { after: 0, within: 0, block: 0, most: 0 };

/**
 * A port's answer can't be used: its arithmetic disagrees with the steps here, or its reply is
 * invalid.
 */
export class PortError extends Error {
  override readonly name: string = "PortError";
}

/**
 * A store rejects a request as invalid, for example because it has another version, or because the
 * request is too large for a proxy before it.
 *
 * No outage: callers choose keys, so `whenUnavailable: "open"` would admit whatever is too large.
 */
export class RejectedRequest extends PortError {
  override readonly name = "RejectedRequest";
}

/**
 * Commands as numbers, for a port of the steps that runs where states are kept. See `protocol.ts`.
 *
 * Each budget is listed once. Commands refer to it by its index.
 */
export class PortRequest {
  readonly commands: readonly Command[];
  /** The names of the budgets where they are kept. */
  readonly names: string[] = [];
  /** The plan of each budget. */
  readonly plans: Plan[] = [];
  /** For each command, the indexes of its budgets, from 0. */
  readonly places: number[][] = [];
  /** The distinct plans. */
  readonly sent: Plan[] = [];
  /** For each budget, the number of its plan, from 1. */
  readonly owners: number[] = [];
  /**
   * For each budget, an instant at which one of its windows begins; 0 if its kind has no windows.
   */
  readonly extras: number[] = [];
  /** The steps; empty if nothing is changed. */
  readonly steps: number[] = [];
  /** Whether the kind of any budget keeps a list. */
  keepsLists = false;
  /** Whether each step takes one unit from a budget that no earlier step names. */
  takesOneOfEach = true;
  /** For each budget, the penalty of its last call; undefined if no call has one. */
  penalties: (PenaltySettings | undefined)[] | undefined;
  readonly #nameOf: (budget: Budget) => string;
  /** Indexes by name. Created for the second budget, because most requests have only one. */
  #placeOf: Map<string, number> | undefined;

  /**
   * @param nameOf Returns a budget's name; no two are the same.
   * @param hasLooks Whether the port returns only those parts of lists on which steps depend, so
   * that reads must be steps too.
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
    // Calls of several programs, or before and after an update of the limit, may differ in it.
    for (let index = 0; index < asks.length; index++) {
      const penalty = asks[index]?.settings?.penalty;
      const place = places[index] as number;
      if (penalty !== this.penalties?.[place]) this.#penalize(penalty, place);
    }
    const { count, reserve, lease } = asks[0] as Ask;
    if (asks.length === 1 && count === 1 && !reserve && lease === undefined) {
      const place = this.steps.push((places[0] as number) + 1);
      if (place !== (places[0] as number) + 1) this.takesOneOfEach = false;
      return;
    }
    this.takesOneOfEach = false;
    this.#ask(STEPS.take.number, asks, places);
  }

  /** Adds the step that sets the penalty of a budget. */
  #penalize(penalty: PenaltySettings = NO_PENALTY, place: number): void {
    this.takesOneOfEach = false;
    this.penalties ??= [];
    this.penalties[place] = penalty === NO_PENALTY ? undefined : penalty;
    const { after, within, block, most } = penalty;
    this.steps.push(STEPS.penalty.number, place + 1, after, within, block, most);
  }

  #ask(step: number, asks: readonly Ask[], places: readonly number[]): void {
    this.steps.push(step, asks.length);
    asks.forEach(({ plan, count, reserve, lease }, index) => {
      const place = (places[index] as number) + 1;
      // Ports let a reservation use all debt that a key may have. The part of this debt that can't
      // be reserved is sent as headroom.
      const owed = reserve ? plan.debtTicks - plan.reservableTicks : 0;
      this.steps.push(place, count, Number(reserve), lease?.headroom ?? owed, lease?.id ?? 0);
    });
  }

  /**
   * Adds steps for commands that only read lists. Ports that return whole lists don't need them.
   */
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
      ...("plan" in command ? { plan: this.#numberOf(command.plan) } : {}),
    };
    this.steps.push(step.number, ...step.fields.map((field) => numbers[field] ?? 0));
  }

  /**
   * Adds the step of a draw. It has no headroom, because holders of shares reserve without a draw.
   */
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

/** The reply to a request. */
export type Reply = {
  /** The store's time, in milliseconds since 1970. */
  readonly now: number;
  /**
   * The number of budgets charged, plus the units lent. The caller's own arithmetic must agree with
   * it.
   */
  readonly charged: number;
  /**
   * The state of each budget of the request before the commands. An error if it is not available;
   * it applies only to commands on that budget.
   */
  readonly states: readonly (State | Error)[];
  /**
   * Why nothing was written, if the store is read-only at present. Commands that write have failed
   * then.
   */
  readonly unwritten?: Error;
};

/**
 * Computes the answers to a request's commands from the states before them, as the port did.
 *
 * It executes the same pure steps in the same order at the same instant. Each command sees what
 * earlier ones have written.
 *
 * @throws PortError if the port charged a different number of budgets, or lent other units.
 */
export function replay(
  { commands, places: allPlaces }: PortRequest,
  { now, charged, states, unwritten }: Reply,
  observer: Observer | undefined,
): readonly CommandOutcome[] {
  const outcomes: CommandOutcome[] = [];
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
  const counted = "budgets charged and units lent, together";
  throw new PortError(`${counted}: ${charged}, expected ${steps.charged}`);
}
