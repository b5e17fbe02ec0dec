import type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  Decision,
  Lending,
  LendingNumbers,
  Mode,
  Plan,
  Store,
  Warn,
} from "../../core/index.ts";
import { after, all, asAnswer } from "../../internal/index.ts";
import { checkOne, refusalOf } from "./checks.ts";
import { Draws, type DrawsSettings } from "./draws.ts";
import { type IdleSettings, IdleWatch } from "./idle.ts";
import { checkTogether, limitTogether } from "./joint.ts";
import type { LentKey } from "./lent-key.ts";
import { LentKeys } from "./lent-keys.ts";
import { onKey } from "./on-key.ts";
import { keepsPlaces } from "./places/kept-plan.ts";
import { Places } from "./places/places.ts";
import { placesWithin } from "./places/within.ts";
import type { Reading, Readings } from "./readings.ts";
import { Usage } from "./usage.ts";

/** Draws of others that an ask waits for, one after the other, before it asks the store itself. */
const MOST_WAITS = 2;

/** What a store that lends is made with. */
export type LentSettings<M extends Mode> = DrawsSettings<M> &
  Pick<IdleSettings, "scheduler"> & { readonly warn: Warn; readonly most: number };

/** A store whose units are lent to this process; see `lent`. */
export class LentStore<M extends Mode> implements Store<M>, Lending<M> {
  readonly mode: M;
  readonly lending: Lending<M> = this;
  readonly within?: NonNullable<Store<M>["within"]>;
  readonly observe?: NonNullable<Store<M>["observe"]>;
  /** Asks the store, whatever is held here. */
  readonly #direct: (ask: Ask) => Answer<M, Decision>;
  readonly #store: Store<M>;
  readonly #readings: Readings;
  readonly #keys: LentKeys;
  readonly #draws: Draws<M>;
  readonly #idle: IdleWatch;
  readonly #places: Places<M>;
  /** Nothing is drawn any more. */
  #isClosed = false;
  /** Nothing is drawn under these any more. */
  readonly #retired = new WeakSet<Plan>();

  constructor(settings: LentSettings<M>) {
    const { store, readings, scheduler, warn, most } = settings;
    this.mode = store.mode;
    this.#store = store;
    this.#direct = store.limit?.bind(store) ?? ((ask) => this.#byCommand(ask));
    this.#readings = readings;
    this.#keys = new LentKeys(most);
    this.#draws = new Draws(settings);
    const usage = new Usage(warn);
    this.#idle = new IdleWatch({
      keys: this.#keys,
      scheduler,
      look: (key, since) => {
        this.#draws.look(key);
        usage.note(key.budget.plan, since);
      },
      idle: (key) => this.#drop(key),
    });
    const execute = (command: Command) => this.#withoutPlaces(command);
    const mode = store.mode;
    this.#places = new Places({ ...settings, mode, execute, usage });
    const { within } = store;
    if (within !== undefined)
      this.within = (transaction) => placesWithin(within.call(store, transaction));
    if (store.observe !== undefined) this.observe = store.observe.bind(store);
  }

  limit(ask: Ask): Answer<M, Decision> {
    if (ask.plan.share === 0) return this.#direct(ask);
    if (keepsPlaces(ask.plan)) return this.#places.limit(ask);
    if (this.#isClosed) return this.#direct(ask);
    const key = this.#keys.find(ask);
    if (key === undefined) return this.#first(ask);
    key.note(ask.count);
    return this.#here(key, ask) ?? this.#beyond(key, ask, MOST_WAITS);
  }

  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    const isLent = command.budgets.some(({ plan }) => plan.share > 0);
    if (!isLent) return this.#store.execute(command);
    const hasPlaces = command.budgets.some(({ plan }) => keepsPlaces(plan));
    const answer = hasPlaces ? this.#places.execute(command) : this.#withoutPlaces(command);
    return answer as Answer<M, AnswerTo<C>>;
  }

  /** What concerns no places that are kept here, or what the store is asked of them. */
  #withoutPlaces(command: Command): Answer<M, unknown> {
    const isLent = !this.#isClosed && command.budgets.some(({ plan }) => plan.share > 0);
    return isLent ? this.#lent(command) : this.#store.execute(command);
  }

  giveBack(): Answer<M, undefined> {
    this.#isClosed = true;
    const units = this.#dropAll([...this.#keys]);
    const places = this.#places.giveBack() as Answer<M, undefined>;
    return after(this.mode, all(this.mode, [units, places]), () => undefined);
  }

  retire(plans: readonly Plan[]): Answer<M, undefined> {
    for (const plan of plans) this.#retired.add(plan);
    const theirs = [...this.#keys].filter(({ budget }) => this.#retired.has(budget.plan));
    return this.#dropAll(theirs);
  }

  numbers(): LendingNumbers {
    const { numbers, lent } = this.#places;
    let { held } = numbers;
    for (const { holder } of this.#keys) held += holder.units;
    return { keys: this.#keys.size + numbers.keys, held, lent: this.#draws.lent + lent };
  }

  /** The key of an ask, if it was asked for lately. */
  find(ask: Ask): LentKey | undefined {
    return this.#keys.find(ask);
  }

  /** The key of an ask, which is noted there; undefined for a limit that does not lend. */
  noted(ask: Ask): LentKey | undefined {
    if (ask.plan.share === 0) return undefined;
    const key = this.#keys.find(ask) ?? this.#addedIfLent(ask);
    key?.note(ask.count);
    return key;
  }

  now(): Reading {
    return this.#readings.now();
  }

  /** Has more lent; nobody waits for it. */
  refill(key: LentKey): void {
    if (!this.#isOver(key)) this.#draws.refill(key);
  }

  /** Many commands as they are, on the store itself. */
  pass<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    return this.#store.execute(command);
  }

  #lent(command: Command): Answer<M, unknown> {
    const { verb, budgets } = command;
    const several = budgets.length > 1;
    if (verb === "limit") {
      if (several) return limitTogether(this, command.budgets);
      return after(this.mode, this.limit(command.budgets[0] as Ask), (one) => [one]);
    }
    if (verb === "check") {
      if (several) return checkTogether(this, command.budgets);
      return after(this.mode, checkOne(this, command.budgets[0] as Ask), (one) => [one]);
    }
    const key = this.#keys.find(budgets[0] as Budget);
    if (key === undefined) return this.pass(command);
    return onKey(command, key, { store: this, draws: this.#draws });
  }

  /** The answer of units that are held; undefined where there are too few. */
  #here(key: LentKey, { count }: Ask): Answer<M, Decision> | undefined {
    const now = this.#readings.now();
    if (!key.take(count, now)) return undefined;
    const decision = key.admitted(now);
    if (key.isLow(now)) this.refill(key);
    return this.#answer(decision);
  }

  #byCommand(ask: Ask): Answer<M, Decision> {
    const answer = this.#store.execute({ verb: "limit", budgets: [ask] });
    return after(this.mode, answer, ([one]) => one as Decision);
  }

  /** The first ask on a key is one as ever: most keys are never asked for again. */
  #first(ask: Ask): Answer<M, Decision> {
    const key = this.#addedIfLent(ask);
    if (key === undefined) return this.#direct(ask);
    key.note(ask.count);
    return this.#plain(key, ask);
  }

  #addedIfLent(budget: Budget): LentKey | undefined {
    if (this.#retired.has(budget.plan)) return undefined;
    const key = this.#keys.add(budget, this.#readings.exactly(), (one) => this.#drop(one));
    this.#idle.start();
    return key;
  }

  #plain(key: LentKey, ask: Ask): Answer<M, Decision> {
    key.calls++;
    return after(this.mode, this.#direct(ask), (decision) => {
      if (decision.degraded || ask.reserve) return decision;
      const now = this.#readings.now();
      key.decided(decision, Math.max(1, ask.count), now);
      return key.answered(decision, now);
    });
  }

  /** What is answered where too few units are held. */
  #beyond(key: LentKey, ask: Ask, waits: number): Answer<M, Decision> {
    if (ask.reserve || ask.count > ask.plan.capacity || this.#isOver(key))
      return this.#plain(key, ask);
    const refusal = refusalOf(key, ask, this.#readings.now());
    if (refusal !== undefined) {
      key.shortage.refused(Math.max(1, ask.count));
      return this.#answer(refusal);
    }
    if (key.flight === undefined) return this.#draws.ask(key, ask);
    if (waits === 0) return this.#plain(key, ask);
    const again = () => this.#here(key, ask) ?? this.#beyond(key, ask, waits - 1);
    return key.flight.then(again) as Answer<M, Decision>;
  }

  /** Gives back what is held of a key that is not looked after any more. */
  #drop(key: LentKey): Answer<M, undefined> {
    this.#idle.note(key);
    this.#keys.remove(key);
    key.isGone = true;
    return this.#draws.giveBack(key);
  }

  /** As `#drop`, once there is no draw on its way any more: what it brings is to go back as well. */
  #dropAll(keys: readonly LentKey[]): Answer<M, undefined> {
    const given = keys.map((key) => {
      if (key.flight === undefined) return this.#drop(key);
      key.isGone = true;
      return key.flight.then(() => this.#drop(key)) as Answer<M, undefined>;
    });
    return after(this.mode, all(this.mode, given), () => undefined);
  }

  /** Whether nothing is to be drawn of a key any more: whoever asked may have waited meanwhile. */
  #isOver(key: LentKey): boolean {
    return this.#isClosed || key.isGone;
  }

  #answer(decision: Decision): Answer<M, Decision> {
    return asAnswer(this.mode, decision);
  }
}
