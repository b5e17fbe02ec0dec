import type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  CommandOf,
  Decision,
  Lending,
  LendingNumbers,
  Mode,
  Store,
  Value,
  Warn,
} from "../../core/index.ts";
import { after, all } from "../../internal/index.ts";
import { Draws, type DrawsSettings } from "./draws.ts";
import { type IdleSettings, IdleWatch } from "./idle.ts";
import { checkTogether, limitTogether } from "./joint.ts";
import type { LentKey } from "./lent-key.ts";
import { LentKeys } from "./lent-keys.ts";
import type { Reading, Readings } from "./readings.ts";
import type { Wait } from "./shortage.ts";
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
  /** Nothing is drawn any more. */
  #isClosed = false;

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
        this.#draws.expire(key);
        usage.note(key.budget.plan.limit, since);
      },
      idle: (key) => this.#drop(key),
    });
    if (store.within !== undefined) this.within = store.within.bind(store);
    if (store.observe !== undefined) this.observe = store.observe.bind(store);
  }

  limit(ask: Ask): Answer<M, Decision> {
    if (ask.plan.share === 0 || this.#isClosed) return this.#direct(ask);
    const key = this.#keys.find(ask);
    if (key === undefined) return this.#first(ask);
    key.note(ask.count);
    return this.#here(key, ask) ?? this.#beyond(key, ask, MOST_WAITS);
  }

  execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    const isLent = !this.#isClosed && command.budgets.some(({ plan }) => plan.share > 0);
    return isLent ? (this.#lent(command) as Answer<M, AnswerTo<C>>) : this.#store.execute(command);
  }

  giveBack(): Answer<M, undefined> {
    this.#isClosed = true;
    const given = [...this.#keys].map((key) => {
      if (key.flight === undefined) return this.#drop(key);
      return key.flight.then(() => this.#drop(key)) as Answer<M, undefined>;
    });
    return after(this.mode, all(this.mode, given), () => undefined);
  }

  numbers(): LendingNumbers {
    let held = 0;
    for (const { holder } of this.#keys) held += holder.units;
    return { keys: this.#keys.size, held, lent: this.#draws.lent };
  }

  /** The key of an ask, which is noted there; undefined for a limit that does not lend. */
  noted(ask: Ask): LentKey | undefined {
    if (ask.plan.share === 0) return undefined;
    const key = this.#keys.find(ask) ?? this.#added(ask);
    key.note(ask.count);
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
      return after(this.mode, this.#check(command.budgets[0] as Ask), (one) => [one]);
    }
    const key = this.#keys.find(budgets[0] as Budget);
    return key === undefined ? this.pass(command) : this.#onKey(command, key);
  }

  /** What is not asked for units concerns the store, and what is known and held here. */
  #onKey(command: Command, key: LentKey): Answer<M, unknown> {
    switch (command.verb) {
      case "value":
        return this.#valueOf(command, key);
      case "settle": {
        // Only what was reported as used can be settled.
        key.shortage.forget();
        if (!key.hasNews) return this.#valueOf(command, key);
        const reported = this.#draws.report(key);
        return after(this.mode, reported, () => this.#valueOf(command, key));
      }
      case "block":
        this.#draws.giveBack(key);
        key.shortage.forget();
        break;
      case "reset":
      case "unblock":
        key.shortage.forget();
    }
    return this.pass(command);
  }

  #valueOf(command: CommandOf<"value" | "settle">, { holder }: LentKey): Answer<M, Value> {
    const answer = this.pass(command) as Answer<M, Value>;
    return after(this.mode, answer, (value) => {
      holder.dropEnded(this.now());
      const remaining = Math.min(value.capacity, value.remaining + holder.units);
      return value.blockedFor > 0 ? value : { ...value, remaining };
    });
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
    const key = this.#added(ask);
    key.note(ask.count);
    return this.#plain(key, ask);
  }

  #added(budget: Budget): LentKey {
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
    const refusal = this.#refusalOf(key, ask);
    if (refusal !== undefined) {
      key.shortage.refused(Math.max(1, ask.count));
      return this.#answer(refusal);
    }
    if (key.flight === undefined) return this.#draws.ask(key, ask);
    if (waits === 0) return this.#plain(key, ask);
    const again = () => this.#here(key, ask) ?? this.#beyond(key, ask, waits - 1);
    return key.flight.then(again) as Answer<M, Decision>;
  }

  #refusalOf(key: LentKey, { count }: Ask): Decision | undefined {
    const now = this.#readings.now();
    const wait: Wait | undefined = key.shortage.waitOf(Math.max(1, count), now.elapsed);
    return wait && key.refused(wait, now);
  }

  #check(ask: Ask): Answer<M, Decision> {
    const key = this.#keys.find(ask);
    const known = key && this.checkHere(key, ask);
    if (known !== undefined) return this.#answer(known);
    // With what is held here, the store need not have all of it.
    const held = key === undefined || ask.count > ask.plan.capacity ? 0 : key.holder.units;
    const rest = { ...ask, count: ask.count - held };
    return after(
      this.mode,
      this.pass({ verb: "check", budgets: [rest] }),
      ([one]) => one as Decision,
    );
  }

  /** What one of several asks would be answered here; undefined where too little is held. */
  checkIfHeld(ask: Ask): Decision | undefined {
    const key = this.#keys.find(ask);
    const answer = key && this.checkHere(key, ask);
    return answer?.ok ? answer : undefined;
  }

  /** What an ask would be answered here; undefined where the store knows. */
  checkHere(key: LentKey, ask: Ask): Decision | undefined {
    const now = this.#readings.now();
    key.holder.dropEnded(now);
    const { units } = key.holder;
    if (Math.max(1, ask.count) > units) return ask.reserve ? undefined : this.#refusalOf(key, ask);
    const decision = key.admitted(now);
    return { ...decision, remaining: decision.remaining - ask.count };
  }

  /** Gives back what is held of a key that is not looked after any more. */
  #drop(key: LentKey): Answer<M, undefined> {
    this.#idle.note(key);
    this.#keys.remove(key);
    key.isGone = true;
    return this.#draws.giveBack(key);
  }

  /** Whether nothing is to be drawn of a key any more: whoever asked may have waited meanwhile. */
  #isOver(key: LentKey): boolean {
    return this.#isClosed || key.isGone;
  }

  #answer(decision: Decision): Answer<M, Decision> {
    return (this.mode === "now" ? decision : Promise.resolve(decision)) as Answer<M, Decision>;
  }
}
