import { after, asAnswer } from "../../internal/index.ts";
import type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  Decision,
  LendingNumbers,
  Mode,
  Plan,
  Scheduler,
  Store,
} from "../../limits/core/index.ts";
import { Draws, type DrawsSettings } from "./draws.ts";
import { type IdleSettings, IdleWatch } from "./idle.ts";
import { inSlices, MOST_IN_TURN } from "./in-slices.ts";
import type { LentKey } from "./lent-key.ts";
import { LentKeys } from "./lent-keys.ts";
import type { Reading, Readings } from "./readings.ts";
import type { Usage } from "./usage.ts";

/** Keys that are given back together: thousands at once would all be late, and the store would be taken for one that is away. */
const MOST_TOGETHER = 256;

/** What units are held with. */
export type LentUnitsSettings<M extends Mode> = DrawsSettings<M> &
  Pick<IdleSettings, "scheduler"> & {
    readonly usage: Usage;
    /** The most keys of which units are held at once. */
    readonly most: number;
  };

/** The keys of which units are lent to this process: they come, are drawn for, and go. Decides on nothing. */
export class LentUnits<M extends Mode> {
  readonly mode: M;
  readonly draws: Draws<M>;
  /** Asks the store, whatever is held here. */
  readonly direct: (ask: Ask) => Answer<M, Decision>;
  readonly #store: Store<M>;
  readonly #readings: Readings;
  readonly #keys: LentKeys;
  readonly #idle: IdleWatch;
  /** Nothing is drawn any more. */
  #isClosed = false;
  /** Nothing is drawn under these any more. */
  readonly #retired = new WeakSet<Plan>();

  constructor(settings: LentUnitsSettings<M>) {
    const { store, readings, scheduler, most, usage } = settings;
    this.mode = store.mode;
    this.draws = new Draws(settings);
    this.direct = store.limit?.bind(store) ?? ((ask) => this.#byCommand(ask));
    this.#store = store;
    this.#readings = readings;
    this.#keys = new LentKeys(most);
    this.#idle = new IdleWatch({
      keys: this.#keys,
      scheduler,
      check: (key, since) => {
        this.draws.check(key);
        usage.note(key.budget.plan, since);
      },
      idle: (keys) => this.#dropIdle(keys, scheduler),
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get numbers(): LendingNumbers {
    let held = 0;
    for (const { holder } of this.#keys) held += holder.units;
    return { keys: this.#keys.size, held, lent: this.draws.lent };
  }

  now(): Reading {
    return this.#readings.now();
  }

  /** Many commands as they are, on the store itself. */
  pass<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    return this.#store.execute(command);
  }

  /** The key of a call, if it was asked for lately. */
  find(budget: Budget): LentKey | undefined {
    return this.#keys.find(budget);
  }

  /** A key for what was not asked for lately; undefined where nothing is lent of it any more. */
  add(budget: Budget): LentKey | undefined {
    if (this.#retired.has(budget.plan)) return undefined;
    const key = this.#keys.add(budget, this.#readings.exactly(), (one) => this.#drop(one));
    this.#idle.start();
    return key;
  }

  /** The key of a call, which is noted there; undefined for a limit that does not lend. */
  noted(ask: Ask): LentKey | undefined {
    if (ask.plan.share === 0) return undefined;
    const key = this.#keys.find(ask) ?? this.add(ask);
    key?.note(ask.count);
    return key;
  }

  /** Has more lent; nobody waits for it. */
  refill(key: LentKey): void {
    if (!this.isOver(key)) this.draws.refill(key);
  }

  /** Whether nothing is to be drawn of a key any more: whoever asked may have waited meanwhile. */
  isOver(key: LentKey): boolean {
    return this.#isClosed || key.isGone;
  }

  /** Gives back all that is held, and has nothing drawn any more. */
  close(): Answer<M, undefined> {
    this.#isClosed = true;
    return this.#dropAll([...this.#keys]);
  }

  /** The same of what is held under some plans. */
  retire(plans: readonly Plan[]): Answer<M, undefined> {
    for (const plan of plans) this.#retired.add(plan);
    return this.#dropAll([...this.#keys].filter(({ budget }) => this.#retired.has(budget.plan)));
  }

  #byCommand(ask: Ask): Answer<M, Decision> {
    const answer = this.pass({ verb: "limit", budgets: [ask] });
    return after(this.mode, answer, ([one]) => one as Decision);
  }

  /** Gives back what is held of a key that is not checked any more. */
  #drop(key: LentKey): Answer<M, undefined> {
    this.#idle.note(key);
    this.#keys.remove(key);
    key.isGone = true;
    return this.draws.giveBack(key);
  }

  #dropAll(keys: readonly LentKey[]): Answer<M, undefined> {
    // Until its turn comes, what is held of a key may be used, but no more is drawn.
    for (const key of keys) key.isGone = true;
    if (this.mode === "later") {
      return this.#dropInTurn(keys, () => true) as Answer<M, undefined>;
    }
    for (const key of keys) this.#drop(key);
    return asAnswer(this.mode, undefined);
  }

  /** Drops keys that are idle still when their turn comes. */
  #dropIdle(keys: readonly LentKey[], scheduler: Pick<Scheduler, "afterDelay">): void {
    if (this.mode === "later") {
      this.#dropInTurn(keys, isIdle);
      return;
    }
    const drop = (key: LentKey) => {
      if (isIdle(key)) this.#drop(key);
    };
    inSlices(keys, { most: MOST_IN_TURN, scheduler, each: drop });
  }

  /**
   * Some at a time, each once there is no draw on its way any more: what it brings is to go back as well.
   *
   * @param isDue Whether a key is still to be dropped, asked when its turn comes.
   */
  async #dropInTurn(
    keys: readonly LentKey[],
    isDue: (key: LentKey) => boolean,
  ): Promise<undefined> {
    const drop = (key: LentKey) =>
      key.flight === undefined ? this.#drop(key) : key.flight.then(() => this.#drop(key));
    for (let at = 0; at < keys.length; at += MOST_TOGETHER) {
      await Promise.all(
        keys
          .slice(at, at + MOST_TOGETHER)
          .filter(isDue)
          .map(drop),
      );
    }
  }
}

/** Whether a key was not asked for since it was checked. */
function isIdle({ asks, checked, flight, isGone }: LentKey): boolean {
  return asks === checked.asks && flight === undefined && !isGone;
}
