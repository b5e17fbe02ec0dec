import { notify } from "../../internal/index.ts";
import type { Budget, Random, Scheduler } from "../../limits/core/index.ts";
import { ByBudget } from "../lending/by-budget.ts";
import { EverySecond } from "../lending/every-second.ts";
import { inSlices, MOST_IN_TURN } from "../lending/in-slices.ts";
import { newId } from "../lending/new-id.ts";
import type { Reading, Readings } from "../lending/readings.ts";
import { BorrowedKey } from "./borrowed-key.ts";
import type { OnRegionEvent } from "./events.ts";
import type { Layout } from "./layout.ts";
import { Loan } from "./loan.ts";

export type BorrowingSettings = {
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  readonly random: Random;
  readonly onEvent: OnRegionEvent | undefined;
};

/** The most keys that borrow at once; others have the part of their region. */
const MOST_KEYS = 10_000;
/** Milliseconds after which a key that lacks nothing gives back what it holds. */
const IDLE = 2000;

/** Draws units from other regions, in the background, for keys that lack some in this one. */
export class Borrowing {
  /** Units that were drawn so far. */
  drawn = 0;
  readonly #settings: BorrowingSettings;
  readonly #keys = new ByBudget<BorrowedKey>();
  /** Regions that do not answer. */
  readonly #away = new Set<string>();
  readonly #checks: EverySecond;
  #isClosed = false;

  constructor(settings: BorrowingSettings) {
    this.#settings = settings;
    this.#checks = new EverySecond(settings.scheduler, () => this.#checkAll());
  }

  get size(): number {
    return this.#keys.size;
  }

  get keys(): Iterable<BorrowedKey> {
    return this.#keys;
  }

  now(): Reading {
    return this.#settings.readings.now();
  }

  /** What is borrowed for a budget, if it lacked any lately. */
  find(budget: Budget): BorrowedKey | undefined {
    return this.#keys.find(budget);
  }

  /** Notes that a budget lacks units in its own region, and has more drawn. */
  lack(budget: Budget, units: number, layout: Layout): BorrowedKey | undefined {
    const key = this.find(budget) ?? this.#add(budget, layout);
    if (key === undefined) return undefined;
    key.demand.note(units);
    const now = this.now();
    key.lackedAt = now.elapsed;
    const held = key.held(now);
    if (held < units || held <= key.low) this.#refill(key, { units, held });
    return key;
  }

  /** Gives up what is held for a budget, under all definitions, and gives it back. */
  giveUp(budget: Budget): void {
    for (const key of this.#keys.underAll(budget)) this.#drop(key);
  }

  /** Gives everything back; with `isLast`, nothing is drawn any more. Resolves when that was answered, or failed. */
  async giveAllBack({ isLast }: { readonly isLast: boolean }): Promise<void> {
    if (isLast) this.#isClosed = true;
    await Promise.all([...this.#keys].map((key) => this.#drop(key)));
  }

  #add(budget: Budget, layout: Layout): BorrowedKey | undefined {
    if (this.#isClosed || this.#keys.size >= MOST_KEYS || layout.far.length === 0) return undefined;
    const loans = layout.far.map((place) => new Loan(place, layout.part(budget, place)));
    const key = new BorrowedKey(budget, loans, this.now());
    this.#keys.add(budget, key);
    this.#checks.start();
    return key;
  }

  /** Draws what is wanted from those that have most beyond what they keep; the others say what they have. */
  #refill(
    key: BorrowedKey,
    { units, held }: { readonly units: number; readonly held: number },
  ): void {
    const { elapsed } = this.now();
    const open = key.loans.filter((loan) => loan.isOpen(elapsed));
    if (open.length === 0) return;
    let rest = Math.max(Math.ceil(key.demand.want(held, elapsed)), units - held);
    key.low = (held + rest) / 4;
    open.sort((one, other) => other.room(elapsed) - one.room(elapsed));
    for (const loan of open) {
      const want = Math.min(rest, Math.max(0, loan.room(elapsed)));
      rest -= want;
      if (want > 0 || loan.isStale(elapsed)) this.#draw(loan, want);
    }
  }

  async #draw(loan: Loan, want: number): Promise<void> {
    const { readings, random } = this.#settings;
    const id = newId(random);
    const draw = loan.draw({ id, want }, readings.exactly());
    try {
      const { store } = loan.place;
      const drawn = await store.execute({ verb: "draw", budgets: [loan.ask], draw });
      if (drawn.decision.degraded) throw new Error("it was answered without the store");
      this.#took(loan, loan.drawn(drawn, draw, readings.now()));
    } catch (error) {
      loan.failed(draw, readings.now());
      this.#isAway(loan, error);
    }
  }

  #took(loan: Loan, units: number): void {
    const { place, budget } = loan;
    const region = place.name;
    const { onEvent } = this.#settings;
    if (this.#away.delete(region)) notify(onEvent, { type: "back", region });
    if (units === 0) return;
    this.drawn += units;
    notify(onEvent, { type: "drawn", limit: budget.plan.limit, region, units });
    this.#expire(loan);
  }

  /** Reports units that have ended unused. */
  #expire({ holder, place, budget }: Loan): void {
    holder.dropEnded(this.now());
    const units = holder.takeExpired();
    if (units === 0) return;
    const { limit } = budget.plan;
    notify(this.#settings.onEvent, { type: "expired", limit, region: place.name, units });
  }

  #isAway({ place: { name: region } }: Loan, error: unknown): void {
    if (this.#away.has(region)) return;
    this.#away.add(region);
    notify(this.#settings.onEvent, { type: "away", region, error });
  }

  #checkAll(): { readonly isLast: boolean } {
    const now = this.now();
    const idle = [...this.#keys].filter((key) => {
      this.#check(key, now);
      return this.#isIdle(key);
    });
    const most = Math.ceil(MOST_IN_TURN / Math.max(1, idle[0]?.loans.length ?? 1));
    const { scheduler } = this.#settings;
    inSlices(idle, { most, scheduler, each: (key) => this.#isIdle(key) && this.#drop(key) });
    return { isLast: this.#keys.size === 0 };
  }

  #isIdle(key: BorrowedKey): boolean {
    return !key.isGone && this.now().elapsed - key.lackedAt >= IDLE;
  }

  #check(key: BorrowedKey, now: Reading): void {
    for (const loan of key.loans) {
      this.#expire(loan);
      const { share } = loan.budget.plan;
      const id = loan.flight;
      if (id !== undefined && loan.isLate(share, now.elapsed)) loan.failed({ id }, now);
    }
  }

  /** Forgets a key, after all that it holds was given up. */
  async #drop(key: BorrowedKey): Promise<void> {
    this.#keys.remove(key.budget);
    key.isGone = true;
    const giving = key.loans.map((loan) => {
      this.#expire(loan);
      loan.giveUp();
      return loan.owes ? this.#draw(loan, 0) : undefined;
    });
    await Promise.all(giving);
  }
}
