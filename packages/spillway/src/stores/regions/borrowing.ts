import { notify } from "../../internal/index.ts";
import type { Budget, Random, Scheduler, Store } from "../../limits/core/index.ts";
import { Draws } from "../lending/draws.ts";
import { HeldKeys, ownBudget } from "../lending/held-keys.ts";
import { inSlices, MOST_IN_TURN } from "../lending/in-slices.ts";
import type { ClockReading, Readings } from "../lending/readings.ts";
import { BorrowedKey } from "./borrowed-key.ts";
import type { OnRegionEvent, RegionEvent } from "./events.ts";
import { FarPart } from "./far-part.ts";
import type { RegionLayout } from "./region-layout.ts";

export type BorrowingSettings = {
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  readonly random: Random;
  readonly onEvent: OnRegionEvent | undefined;
};

/** The maximum number of keys that borrow at once. Others have only the part of their region. */
const MOST_KEYS = 10_000;
/** A key that lacks nothing for this many milliseconds gives back what it holds. */
const IDLE = 2000;

/** Draws units from other regions in the background, for keys that lack some in this one. */
export class Borrowing {
  /** Units drawn so far. */
  drawn = 0;
  readonly #settings: BorrowingSettings;
  readonly #draws: Draws<FarPart>;
  readonly #keys: HeldKeys<BorrowedKey>;
  /** Regions that do not answer. */
  readonly #away = new Set<string>();
  #isClosed = false;

  constructor(settings: BorrowingSettings) {
    this.#settings = settings;
    const { scheduler } = settings;
    this.#draws = new Draws({
      ...settings,
      onDrawn: (part, units, decision) => {
        this.#drawn(part, units);
        return decision;
      },
      onFailed: (part, error) => this.#failed(part, error),
      onExpired: (part, units) => this.#expired(part, units),
    });
    this.#keys = new HeldKeys({ scheduler, check: () => this.#checkAll() });
  }

  get size(): number {
    return this.#keys.size;
  }

  get keys(): Iterable<BorrowedKey> {
    return this.#keys;
  }

  now(): ClockReading {
    return this.#settings.readings.now();
  }

  /** Returns the units borrowed for a budget, if it lacked any recently. */
  find(budget: Budget): BorrowedKey | undefined {
    return this.#keys.find(budget);
  }

  /** Records that a budget lacks units in its own region, and draws more. */
  lack(budget: Budget, units: number, layout: RegionLayout): BorrowedKey | undefined {
    const key = this.find(budget) ?? this.#add(budget, layout);
    if (key === undefined) return undefined;
    key.demand.note(units);
    const now = this.now();
    key.lackedAt = now.elapsed;
    const held = key.held(now);
    if (held < units || held <= key.low) this.#refill(key, { units, held });
    return key;
  }

  /** Gives back what is held for a budget, under all definitions. */
  giveUp(budget: Budget): void {
    for (const key of this.#keys.underAll(budget)) this.#drop(key);
  }

  /**
   * Gives everything back; with `isLast`, nothing is drawn any more. Resolves when all of it was
   * answered, or failed.
   */
  async giveAllBack({ isLast }: { readonly isLast: boolean }): Promise<void> {
    if (isLast) this.#isClosed = true;
    await Promise.all([...this.#keys].map((key) => this.#drop(key)));
  }

  #add(budget: Budget, layout: RegionLayout): BorrowedKey | undefined {
    if (this.#isClosed || this.#keys.size >= MOST_KEYS || layout.far.length === 0) return undefined;
    const own = ownBudget(budget);
    const parts = layout.far.map((place) => new FarPart(place, layout.part(own, place)));
    const key = new BorrowedKey(own, parts, this.now());
    this.#keys.add(key);
    return key;
  }

  /**
   * Draws units from the regions that have most beyond their reserve. The others only report what
   * they have.
   */
  #refill(
    key: BorrowedKey,
    { units, held }: { readonly units: number; readonly held: number },
  ): void {
    const { elapsed } = this.now();
    const open = key.parts.filter((part) => part.isOpen(elapsed));
    if (open.length === 0) return;
    let rest = Math.max(Math.ceil(key.demand.want(held, elapsed)), units - held);
    key.low = (held + rest) / 4;
    open.sort((one, other) => other.room(elapsed) - one.room(elapsed));
    for (const part of open) {
      const want = Math.min(rest, Math.max(0, part.room(elapsed)));
      rest -= want;
      if (want > 0 || part.isStale(elapsed)) this.#draw(part, want);
    }
  }

  async #draw(part: FarPart, want: number): Promise<void> {
    const { store } = part.place;
    // The lender is asynchronous even if the store answers at once, so that no call waits for it.
    const lender: Store<"later"> = {
      timing: "later",
      execute: async (command) => store.execute(command),
    };
    // The failure was recorded already.
    await this.#draws.draw(part, { lender, want }).catch(() => undefined);
  }

  #drawn({ place, loan }: FarPart, units: number): void {
    const region = place.name;
    if (this.#away.delete(region)) this.#notify({ type: "back", region });
    if (units === 0) return;
    this.drawn += units;
    this.#notify({ type: "drawn", limit: loan.budget.plan.limit, region, units });
  }

  #failed({ place: { name: region } }: FarPart, error: unknown): void {
    if (this.#away.has(region)) return;
    this.#away.add(region);
    this.#notify({ type: "away", region, error });
  }

  #expired({ place, loan }: FarPart, units: number): void {
    const { limit } = loan.budget.plan;
    this.#notify({ type: "expired", limit, region: place.name, units });
  }

  #notify(event: RegionEvent): void {
    notify(this.#settings.onEvent, event);
  }

  #checkAll(): void {
    const now = this.now();
    const idle = [...this.#keys].filter((key) => {
      for (const part of key.parts) {
        this.#draws.expire(part);
        part.giveUpLate(now);
      }
      return this.#isIdle(key);
    });
    const most = Math.ceil(MOST_IN_TURN / Math.max(1, idle[0]?.parts.length ?? 1));
    const { scheduler } = this.#settings;
    inSlices(idle, { most, scheduler, each: (key) => this.#isIdle(key) && this.#drop(key) });
  }

  #isIdle(key: BorrowedKey): boolean {
    return !key.isGone && this.now().elapsed - key.lackedAt >= IDLE;
  }

  /** Forgets a key, after everything it holds was given back. */
  async #drop(key: BorrowedKey): Promise<void> {
    this.#keys.remove(key);
    key.isGone = true;
    const giving = key.parts.map((part) => {
      this.#draws.expire(part);
      part.loan.giveUp();
      return part.loan.owes ? this.#draw(part, 0) : undefined;
    });
    await Promise.all(giving);
  }
}
