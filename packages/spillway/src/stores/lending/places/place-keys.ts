import { all, carriedOut, notify } from "../../../internal/index.ts";
import type { Answer, Budget, Command, Timing } from "../../../limits/core/index.ts";
import { withBudgets } from "../../port/with-budgets.ts";
import type { StoreEvent } from "../../remote/events.ts";
import { HeldKeys } from "../held-keys.ts";
import type { LentSettings } from "../lent-units.ts";
import type { ClockReading } from "../readings.ts";
import { keptBudget } from "./kept-plan.ts";
import type { StoreLease } from "./lease-stock.ts";
import { PlaceKey } from "./place-key.ts";

/** The keys with places in this process. Decides which places go back to the store. */
export class PlaceKeys<M extends Timing> {
  readonly timing: M;
  /** Units taken from the store so far. */
  lent = 0;
  readonly #settings: LentSettings<M>;
  readonly #keys: HeldKeys<PlaceKey>;
  #isClosed = false;

  constructor(settings: LentSettings<M>) {
    this.timing = settings.store.timing;
    this.#settings = settings;
    const { scheduler } = settings;
    this.#keys = new HeldKeys({ scheduler, check: () => this.#checkAll() });
  }

  get size(): number {
    return this.#keys.size;
  }

  [Symbol.iterator](): IterableIterator<PlaceKey> {
    return this.#keys[Symbol.iterator]();
  }

  find(budget: Budget): PlaceKey | undefined {
    return this.#keys.find(budget);
  }

  /** Returns the key of a budget, after its expired places were dropped. */
  findCurrent(budget: Budget): PlaceKey | undefined {
    const key = this.find(budget);
    key?.dropEnded(this.now());
    if (key !== undefined) this.flush(key);
    return key;
  }

  /** Returns the key of a budget; adds it if it is new. */
  of(budget: Budget): PlaceKey {
    const known = this.find(budget);
    if (known !== undefined) return known;
    const mayKeep = !this.#isClosed && this.size < this.#settings.most;
    const made = new PlaceKey(budget, mayKeep);
    this.#keys.add(made);
    return made;
  }

  /** Gives back places that are not held, and keeps none from now on. */
  close(): Answer<M, unknown> {
    this.#isClosed = true;
    const given = [...this].map((key) => {
      key.mayKeep = false;
      return this.giveUp(key);
    });
    return all(this.timing, given);
  }

  /** Gives back a key's places that are not held. Places held now are not handed out again. */
  giveUp(key: PlaceKey): Answer<M, unknown> {
    key.giveUp();
    return this.flush(key);
  }

  /**
   * Gives back what is due, and forgets the key if nothing else is left of it.
   *
   * @param isAsked Selects the leases for which to return whether the store still listed them.
   * Default: all.
   */
  flush(key: PlaceKey, isAsked = (_: StoreLease) => true): Answer<M, readonly boolean[]> {
    const due = key.stock.takeDue();
    this.#tidy(key);
    if (due.length > 0) {
      const units = due.reduce((sum, lease) => sum + lease.units, 0);
      this.#notify({ type: "given back", limit: key.budget.plan.limit, units });
    }
    const given = due.map((lease) => ({ lease, answer: this.#release(key, lease) }));
    const asked = given.filter(({ lease }) => isAsked(lease));
    const answers = asked.map(({ answer }) => answer);
    return all(this.timing, answers);
  }

  /** Carries out a command on the store, on budgets as they are kept there. */
  pass(command: Command): Answer<M, unknown> {
    return this.#settings.store.execute(withBudgets(command, keptBudget));
  }

  /** The current time. An older reading could let a lease expire before its holder knows. */
  now(): ClockReading {
    return this.#settings.readings.exactly();
  }

  /** Records units that the store has granted. */
  drawn({ budget, idle }: PlaceKey, units: number): void {
    this.lent += units;
    this.#notify({ type: "drawn", limit: budget.plan.limit, units, held: idle });
  }

  #notify(event: StoreEvent): void {
    notify(this.#settings.onEvent, event);
  }

  /** The store forgets an unconfirmed release in time, unless it is sent again. */
  #release({ budget }: PlaceKey, { id, units }: StoreLease): Answer<M, boolean> {
    const lease = { id, count: units };
    const release = () => this.pass({ verb: "release", budgets: [budget], lease });
    const done = (wasHeld: unknown) => wasHeld === true;
    return carriedOut(this.timing, release, { done, fail: () => false });
  }

  #tidy(key: PlaceKey): void {
    if (!key.isEmpty || this.find(key.budget) !== key) return;
    this.#note(key);
    this.#keys.remove(key);
  }

  #checkAll(): void {
    for (const key of [...this]) {
      key.dropIdle(this.now());
      this.#note(key);
      this.flush(key);
    }
  }

  #note(key: PlaceKey): void {
    this.#settings.usage.note(key.budget.plan, key);
    key.asks = 0;
    key.calls = 0;
  }
}
