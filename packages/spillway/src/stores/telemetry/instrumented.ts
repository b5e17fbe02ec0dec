import {
  carriedOut,
  checkFlag,
  checkFunction,
  checkOptions,
  notify,
  quietly,
  sameMembers,
} from "../../internal/index.ts";
import {
  type Answer,
  type AnswerTo,
  type Ask,
  type Command,
  type Decision,
  elapsed,
  SpillwayError,
  type Store,
  type StoreWithin,
  type Timing,
} from "../../limits/core/index.ts";
import { decided, failuresOf, type KeyVisibility, outcomesOf } from "./outcomes.ts";
import type { CallOutcome, OnCall } from "./store-call.ts";

/** The options of an instrumented store. */
export type InstrumentedOptions = {
  /** Whether calls contain the budget's key. Keys may be addresses and names. Default: false. */
  readonly keys?: boolean;
};

/**
 * Returns a store that reports each command and its outcome. It decides and keeps nothing itself.
 *
 * A store that is not wrapped has no additional cost. A wrapped one costs two readings of the clock
 * and the report for each command. In a transaction, commands are reported when they are answered,
 * even if it is rolled back later.
 *
 * @param onCall Receives each call before the caller has its answer; it should be quick.
 * @throws SpillwayError `bad-store`, `bad-option`, `unknown-field`
 * @example
 * const store = instrumented(memoryStore(), ({ verb, outcomes }) => {
 *   for (const { limit, result } of outcomes) decisions.inc({ verb, limit, result });
 * });
 */
export function instrumented<M extends Timing>(
  store: Store<M>,
  onCall: OnCall,
  options: InstrumentedOptions = {},
): Store<M> {
  checkOptions("instrumented", options, ["keys"]);
  const { keys = false } = options;
  checkFlag("keys", keys);
  checkFunction("onCall", onCall ?? null, "a function that takes a call");
  if (typeof store?.execute !== "function") throw noStore(store);
  return new Instrumented(store, onCall, { keys }).asStore();
}

function noStore(value: unknown): SpillwayError {
  const expected = "a store with a method execute";
  const problem = { field: "store", value, isPrivate: true, expected };
  return new SpillwayError({ code: "bad-store", ...problem });
}

class Instrumented<M extends Timing> {
  readonly #store: StoreWithin<M>;
  readonly #onCall: OnCall;
  readonly #shown: KeyVisibility;

  constructor(store: StoreWithin<M>, onCall: OnCall, shown: KeyVisibility) {
    this.#store = store;
    this.#onCall = onCall;
    this.#shown = shown;
  }

  /** Returns a store with the same optional members as the wrapped one, and no others. */
  asStore(): StoreWithin<M> {
    const store = this.#store;
    const { within, limit } = store;
    return {
      ...sameMembers(store),
      ...(limit && { limit: (ask: Ask) => this.#limit(ask, limit) }),
      ...(within && {
        within: (transaction: object) =>
          new Instrumented(within.call(store, transaction), this.#onCall, this.#shown).asStore(),
      }),
      execute: <C extends Command>(command: C) => this.#execute(command),
    };
  }

  #execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
    const done = (answer: AnswerTo<C>) => outcomesOf(command, answer, this.#shown);
    return this.#timed(command, () => this.#store.execute(command), done);
  }

  #limit(ask: Ask, limit: (ask: Ask) => Answer<M, Decision>): Answer<M, Decision> {
    if (this.#store.timing === "now") {
      return this.#limitNow(ask, limit as (ask: Ask) => Decision) as Answer<M, Decision>;
    }
    const { keys } = this.#shown;
    const done = (one: Decision) => [decided(ask, one, { keys, isTaking: true, isWhole: one.ok })];
    return this.#timed(commandOf(ask), () => limit.call(this.#store, ask), done);
  }

  /**
   * Decides for a store that answers at once. Written without helpers, because a report costs more
   * than a decision here.
   */
  #limitNow(ask: Ask, limit: (ask: Ask) => Decision): Decision {
    const start = elapsed();
    let decision: Decision;
    try {
      decision = limit.call(this.#store, ask);
    } catch (error) {
      const all = () => failuresOf(commandOf(ask), this.#shown);
      this.#report({ command: commandOf(ask), start, error: error as Error, all });
      throw error;
    }
    const duration = elapsed() - start;
    const how = { keys: this.#shown.keys, isTaking: true, isWhole: decision.ok };
    const outcomes = [decided(ask, decision, how)];
    notify(this.#onCall, { verb: "limit", duration, error: undefined, outcomes });
    return decision;
  }

  #timed<T>(
    command: Command,
    call: () => Answer<M, T>,
    outcomes: (answer: T) => CallOutcome[],
  ): Answer<M, T> {
    const start = elapsed();
    const report = (error: Error | undefined, all: () => CallOutcome[]) =>
      this.#report({ command, start, error, all });
    const succeed = (answer: T): T => {
      report(undefined, () => outcomes(answer));
      return answer;
    };
    const fail = (error: unknown): never => {
      report(error as Error, () => failuresOf(command, this.#shown));
      throw error;
    };
    return carriedOut(this.#store.timing, call, { done: succeed, fail });
  }

  #report({ command, start, error, all }: CommandReport): void {
    const duration = elapsed() - start;
    const { verb } = command;
    quietly(() => this.#onCall({ verb, duration, error, outcomes: all() }));
  }
}

function commandOf(ask: Ask): Command {
  return { verb: "limit", budgets: [ask] };
}

type CommandReport = {
  readonly command: Command;
  readonly start: number;
  readonly error: Error | undefined;
  readonly all: () => CallOutcome[];
};
