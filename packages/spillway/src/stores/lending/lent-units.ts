import { asAnswer, notify } from "../../internal/index.ts";
import type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  Decision,
  LendingNumbers,
  Plan,
  Random,
  Scheduler,
  Store,
  Timing,
} from "../../limits/core/index.ts";
import { limitOn } from "../port/limit-on.ts";
import type { OnEvent, StoreEvent } from "../remote/events.ts";
import { type DrawRequest, Draws } from "./draws.ts";
import { HeldKeys } from "./held-keys.ts";
import { inSlices, inTurns, MOST_IN_TURN } from "./in-slices.ts";
import type { LendingUsage } from "./lending-usage.ts";
import { LentKey } from "./lent-key.ts";
import type { ClockReading, Readings } from "./readings.ts";
import { ShareExpiries } from "./share-expiries.ts";

/**
 * The maximum number of keys given back together: thousands at once would all be late, and the
 * store would be considered unavailable.
 */
const MOST_TOGETHER = 256;
/** After this many checks without a call, a key gives back its units. */
const IDLE_CHECKS = 2;
/** The maximum number of keys in use that an eviction skips. */
const MOST_PASSED = 8;

/** The parts and settings for holding units and places. */
export type LentSettings<M extends Timing> = {
  readonly store: Store<M>;
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  readonly random: Random;
  readonly onEvent: OnEvent | undefined;
  readonly usage: LendingUsage;
  /** The maximum number of keys with units held at once. */
  readonly most: number;
};

type DrawOrder = Omit<DrawRequest, "lender">;

/**
 * The keys of which the store lends units to this process: adds them, draws for them, and gives
 * them back. Makes no decisions.
 */
export class LentUnits<M extends Timing> {
  readonly timing: M;
  readonly #settings: LentSettings<M>;
  readonly #draws: Draws<LentKey>;
  readonly #expiries: ShareExpiries;
  readonly #keys: HeldKeys<LentKey>;
  /** Units lent to this process so far. */
  #lent = 0;
  /** Whether nothing is drawn any more. */
  isClosed = false;
  /** Plans under which nothing is drawn any more. */
  readonly #retired = new WeakSet<Plan>();

  constructor(settings: LentSettings<M>) {
    const { store, scheduler } = settings;
    this.timing = store.timing;
    this.#settings = settings;
    this.#draws = new Draws({
      ...settings,
      onDrawn: (key, units, decision) => this.#drawn(key, units, decision),
      onExpired: (key, units) =>
        this.#notify({ type: "expired", limit: key.budget.plan.limit, units }),
    });
    this.#expiries = new ShareExpiries({ ...settings, due: (key) => this.refill(key) });
    this.#keys = new HeldKeys({ scheduler, check: () => this.#checkAll() });
  }

  get numbers(): LendingNumbers {
    let held = 0;
    for (const { holder } of this.#keys) held += holder.units;
    return { keys: this.#keys.size, held, lent: this.#lent };
  }

  now(): ClockReading {
    return this.#settings.readings.now();
  }

  /** Passes a command to the store unchanged. */
  pass<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    return this.#settings.store.execute(command);
  }

  /** Sends an ask to the store, without using held units. */
  direct(ask: Ask): Answer<M, Decision> {
    return limitOn(this.#settings.store, ask);
  }

  /** Returns the key of a call, if it was used recently. */
  find(budget: Budget): LentKey | undefined {
    return this.#keys.find(budget);
  }

  /** Adds a key that was not used recently; undefined if no units of it may be lent any more. */
  add(budget: Budget): LentKey | undefined {
    if (this.#retired.has(budget.plan)) return undefined;
    const key = new LentKey(budget, this.#settings.readings.exactly());
    this.#keys.add(key);
    const isFull = this.#keys.size > this.#settings.most;
    if (isFull) this.#drop(this.#keys.leastUsed(MOST_PASSED, wasUsed));
    return key;
  }

  /** Draws the units that an ask needs beyond the held ones, and further units to hold. */
  draw(key: LentKey, ask: Ask): Answer<M, Decision> {
    const isOffered = key.holder.units > 0;
    return this.#draw(key, { ask, want: key.want(0, this.now()), isOffered });
  }

  /** Draws further units in advance. */
  refill(key: LentKey): void {
    if (this.isOver(key)) return;
    const now = this.now();
    key.holder.dropEnded(now);
    this.#unheard(key, { want: key.want(key.holder.units, now) });
  }

  /** Reports what was used. */
  report(key: LentKey): Answer<M, Decision> {
    return this.#draw(key, { want: 0 });
  }

  /** Gives back all units of a key. They may not be used any more, even if that fails. */
  giveBack(key: LentKey): Answer<M, undefined> {
    const units = key.giveUp();
    this.#draws.expire(key);
    if (!key.loan.owes) return asAnswer(this.timing, undefined);
    if (units > 0) this.#notify({ type: "given back", limit: key.budget.plan.limit, units });
    return this.#unheard(key, { want: 0 });
  }

  /** Whether nothing may be drawn of a key any more. The caller may have waited in between. */
  isOver(key: LentKey): boolean {
    return this.isClosed || key.isGone;
  }

  /** Gives back all units, and draws no more. */
  close(): Answer<M, undefined> {
    this.isClosed = true;
    return this.#dropAll([...this.#keys]);
  }

  /** Gives back the units held under some plans, and draws no more under them. */
  retire(plans: readonly Plan[]): Answer<M, undefined> {
    for (const plan of plans) this.#retired.add(plan);
    return this.#dropAll([...this.#keys].filter(({ budget }) => this.#retired.has(budget.plan)));
  }

  #draw(key: LentKey, order: DrawOrder): Answer<M, Decision> {
    key.calls++;
    const { store } = this.#settings;
    const answer = this.#draws.draw(key, { lender: store, ...order });
    if (this.timing === "later") key.flight = (answer as Promise<unknown>).then(ignore, ignore);
    return answer;
  }

  /** Sends a draw whose answer is not awaited: its result is recorded with the key. */
  #unheard(key: LentKey, order: DrawOrder): Answer<M, undefined> {
    try {
      this.#draw(key, order);
    } catch {
      // The key has recorded the failure, and the next ask that needs the store receives it.
    }
    return key.flight as Answer<M, undefined>;
  }

  #drawn(key: LentKey, units: number, decision: Decision): Decision {
    if (units > 0) {
      this.#lent += units;
      this.#notify({ type: "drawn", limit: key.budget.plan.limit, units, held: key.holder.units });
      this.#expiries.watch(key);
    }
    return key.answered(decision, this.now());
  }

  #notify(event: StoreEvent): void {
    notify(this.#settings.onEvent, event);
  }

  #checkAll(): void {
    const { scheduler } = this.#settings;
    const idle = [...this.#keys].filter((key) => this.#check(key) >= IDLE_CHECKS);
    const drop = (key: LentKey) => isIdle(key) && this.#drop(key);
    if (this.timing === "later") this.#dropInTurn(idle, isIdle);
    else inSlices(idle, { most: MOST_IN_TURN, scheduler, each: drop });
  }

  /** Returns the number of checks since the key was last used. */
  #check(key: LentKey): number {
    this.#draws.expire(key);
    this.#expiries.watch(key);
    const since = key.check();
    this.#settings.usage.note(key.budget.plan, since);
    return since.idle;
  }

  /** Gives back the units of a key that has left the table. */
  #drop(key: LentKey): Answer<M, undefined> {
    this.#check(key);
    this.#keys.remove(key);
    key.isGone = true;
    return this.giveBack(key);
  }

  #dropAll(keys: readonly LentKey[]): Answer<M, undefined> {
    // Until it is their turn, the units of these keys may be used, but no more are drawn.
    for (const key of keys) key.isGone = true;
    if (this.timing === "later") return this.#dropInTurn(keys, () => true) as Answer<M, undefined>;
    for (const key of keys) this.#drop(key);
    return asAnswer(this.timing, undefined);
  }

  /**
   * Drops keys in batches, each key after its pending draw, whose units must go back as well.
   *
   * @param isDue Returns whether a key must still be dropped. Called just before it would be.
   */
  #dropInTurn(keys: readonly LentKey[], isDue: (key: LentKey) => boolean): Promise<undefined> {
    const drop = (key: LentKey) =>
      key.flight === undefined ? this.#drop(key) : key.flight.then(() => this.#drop(key));
    return inTurns(keys, { most: MOST_TOGETHER, each: (key) => isDue(key) && drop(key) });
  }
}

/** Whether a key was not used since its last check. */
function isIdle({ asks, checked, flight, isGone }: LentKey): boolean {
  return asks === checked.asks && flight === undefined && !isGone;
}

/** Whether a key was used since an eviction last skipped it. */
function wasUsed(key: LentKey): boolean {
  const { asks, passedAt } = key;
  key.passedAt = asks;
  return asks !== passedAt;
}

function ignore(): undefined {
  return undefined;
}
