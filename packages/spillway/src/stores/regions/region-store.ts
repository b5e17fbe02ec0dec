import {
  type AnswerTo,
  type Ask,
  type Budget,
  type Command,
  type CommandOf,
  type Decision,
  type Drawn,
  type Lending,
  type LendingNumbers,
  SpillwayError,
  type Store,
  type Value,
} from "../../limits/core/index.ts";
import { putBackAsides, type UnitsAside, useAsides } from "../lending/holder.ts";
import { withBudgets } from "../port/with-budgets.ts";
import { type LackingAsk, lackOf, merged, served, takesNear, wouldServe } from "./answers.ts";
import type { Borrowing } from "./borrowing.ts";
import type { RegionClocks } from "./clocks.ts";
import type { Regions } from "./options.ts";
import type { IndexedRegion, RegionLayout } from "./region-layout.ts";
import { regionValue } from "./region-value.ts";

type StoreParts = {
  readonly layout: RegionLayout;
  readonly borrowing: Borrowing;
  readonly clocks: RegionClocks;
};

/** A store over several regions; see `regionStore`. */
export class MultiRegionStore implements Store<"later">, Lending<"later"> {
  readonly timing = "later";
  readonly lending: Lending<"later"> = this;
  #layout: RegionLayout;
  readonly #borrowing: Borrowing;
  readonly #clocks: RegionClocks;

  constructor({ layout, borrowing, clocks }: StoreParts) {
    this.#layout = layout;
    this.#borrowing = borrowing;
    this.#clocks = clocks;
  }

  async limit(ask: Ask): Promise<Decision> {
    const [decision] = await this.#limit([ask]);
    return decision as Decision;
  }

  async execute<C extends Command>(command: C): Promise<AnswerTo<C>> {
    return (await this.#execute(command)) as AnswerTo<C>;
  }

  change(regions: Regions): void {
    this.#layout = this.#layout.changed(regions);
    this.#borrowing.giveAllBack({ isLast: false });
  }

  async giveBack(): Promise<undefined> {
    const near = this.#layout.near.store.lending?.giveBack();
    await Promise.all([near, this.#borrowing.giveAllBack({ isLast: true })]);
    return undefined;
  }

  numbers(): LendingNumbers {
    const near = this.#layout.near.store.lending?.numbers() ?? { keys: 0, held: 0, lent: 0 };
    const now = this.#borrowing.now();
    let { held } = near;
    for (const key of this.#borrowing.keys) held += key.held(now);
    const { size, drawn } = this.#borrowing;
    return { keys: near.keys + size, held, lent: near.lent + drawn };
  }

  async #execute(command: Command): Promise<unknown> {
    switch (command.verb) {
      case "limit":
        return this.#limit(command.budgets);
      case "check":
        return this.#check(command.budgets);
      case "value":
        return this.#value(command);
      case "block":
        this.#borrowing.giveUp(command.budgets[0]);
        return this.#everywhere(command);
      case "unblock":
      case "reset":
        return this.#everywhere(command);
    }
    return this.#near(command);
  }

  /** Carries out a command on the near store alone, with the part there. */
  async #near<C extends Command>(command: C): Promise<AnswerTo<C>> {
    return this.#at(command, this.#layout.near);
  }

  async #at<C extends Command>(command: C, place: IndexedRegion): Promise<AnswerTo<C>> {
    return place.store.execute(withBudgets(command, (budget) => this.#layout.part(budget, place)));
  }

  async #limit(asks: readonly Ask[]): Promise<readonly Decision[]> {
    const near = await this.#limitNear(asks);
    if (near.every(({ ok }) => ok)) return this.#merged(asks, near);
    const wants = this.#wants(asks, near);
    const asides = this.#setAside(wants);
    if (asides === undefined) return this.#merged(asks, near);
    // Held units serve what the near region lacks; the rest is taken there.
    const rests = wants
      .filter(takesNear)
      .map(({ ask, lack }) => ({ ...ask, count: ask.count - lack }));
    const taking = rests.length === 0 ? [] : this.#limitNear(rests);
    const taken = await Promise.resolve(taking).catch(putBackAnd(asides));
    if (taken.every(({ ok }) => ok)) useAsides(asides);
    else putBackAsides(asides);
    return this.#merged(asks, served(wants, taken));
  }

  async #limitNear(asks: readonly Ask[]): Promise<readonly Decision[]> {
    const { near } = this.#layout;
    const [ask] = asks as readonly [Ask];
    const isLent = this.#layout.part(ask, near).plan.share > 0;
    // A single call must not use units that the near store has lent to this process, unless its
    // limit has `share`.
    if (asks.length > 1 || !isLent || ask.plan.share > 0) {
      return this.#near({ verb: "limit", budgets: asks });
    }
    const draw = { id: 1, want: 0, left: [], back: [] };
    const drawn: Drawn = await this.#near({ verb: "draw", budgets: [ask], draw });
    return [drawn.decision];
  }

  /** Returns what each ask lacks in the near region, if units of other regions can serve it. */
  #wants(asks: readonly Ask[], near: readonly Decision[]): readonly LackingAsk[] {
    return asks.map((ask, index) => {
      const decision = near[index] as Decision;
      const isLent = this.#layout.part(ask, this.#layout.near).plan.share > 0;
      const canHelp = isLent && ask.count <= this.#layout.most(ask);
      return { ask, decision, lack: decision.ok ? 0 : canHelp ? lackOf(ask, decision) : Infinity };
    });
  }

  /** Sets aside what all asks lack, or nothing. Draws more in either case. */
  #setAside(wants: readonly LackingAsk[]): readonly UnitsAside[] | undefined {
    const lacking = wants.filter(({ lack }) => lack > 0);
    // An ask that no units can serve is not a lack.
    if (lacking.some(({ lack }) => lack === Infinity)) return undefined;
    for (const { ask } of lacking) this.#clocks.compare(ask, this.#layout);
    const keys = lacking.map(({ ask, lack }) => this.#borrowing.lack(ask, lack, this.#layout));
    const now = this.#borrowing.now();
    const asides: UnitsAside[] = [];
    for (const [index, key] of keys.entries()) {
      const { ask, lack } = lacking[index] as LackingAsk;
      const parts = key?.setAside(lack, now);
      if (parts === undefined) {
        putBackAsides(asides);
        return undefined;
      }
      // An ask that takes nothing only checks that a unit is left.
      if (ask.count === 0) putBackAsides(parts);
      else asides.push(...parts);
    }
    return asides;
  }

  async #check(asks: readonly Ask[]): Promise<readonly Decision[]> {
    const near = await this.#near({ verb: "check", budgets: asks });
    if (near.every(({ ok }) => ok)) return this.#merged(asks, near);
    const wants = this.#wants(asks, near);
    const isHeld = wants.every(({ ask, lack }) => lack <= this.#held(ask));
    return this.#merged(asks, isHeld ? wouldServe(wants) : near);
  }

  #merged(asks: readonly Ask[], decisions: readonly Decision[]): readonly Decision[] {
    return asks.map((ask, index) => {
      const reach = { held: this.#held(ask), most: () => this.#layout.most(ask) };
      return merged(ask, decisions[index] as Decision, reach);
    });
  }

  #held(budget: Budget): number {
    return this.#borrowing.find(budget)?.held(this.#borrowing.now()) ?? 0;
  }

  async #value(command: CommandOf<"value">): Promise<Value> {
    const [budget] = command.budgets;
    const layout = this.#layout;
    this.#clocks.compare(budget, layout);
    const value = await this.#near(command);
    const key = this.#borrowing.find(budget);
    const now = this.#borrowing.now();
    return regionValue({ budget, value, layout, key, now, skews: this.#clocks.skews });
  }

  /**
   * Carries out a command in every region that answers. @throws SpillwayError `unavailable` if one
   * does not
   */
  async #everywhere(command: CommandOf<"reset" | "block" | "unblock">): Promise<undefined> {
    const { all } = this.#layout;
    const results = await Promise.allSettled(all.map((place) => this.#at(command, place)));
    const failed = all.filter((_, index) => results[index]?.status === "rejected");
    if (failed.length === 0) return undefined;
    const misuse = results.map(misuseOf).find((error) => error !== undefined);
    if (misuse !== undefined) throw misuse;
    const names = failed.map(({ name }) => name).join(", ");
    throw new SpillwayError({
      code: "unavailable",
      limit: command.budgets[0].plan.limit,
      expected: `${command.verb} failed in ${names}, but succeeded in all other regions`,
      hint: "Call it again: repeating it has no further effect where it succeeded",
    });
  }
}

/** Returns an error that means a faulty program, as opposed to an unavailable region. */
function misuseOf(result: PromiseSettledResult<unknown>): SpillwayError | undefined {
  if (result.status === "fulfilled" || !(result.reason instanceof SpillwayError)) return undefined;
  return result.reason.code === "unavailable" ? undefined : result.reason;
}

function putBackAnd(asides: readonly UnitsAside[]) {
  return (error: unknown): never => {
    putBackAsides(asides);
    throw error;
  };
}
