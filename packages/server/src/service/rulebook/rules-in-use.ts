import type { Store } from "spillway";
import { chain, type Maybe } from "spillway/support";
import type { Rules } from "../../rules/index.ts";
import { giveBack } from "./give-back.ts";
import type { Rulebook } from "./rulebook.ts";

/** The rules that a service begins with, and who is concerned by others. */
export type RulesInUseOptions = Rulebook & {
  /** What lends units under the rules. */
  readonly store: Store;
  /** Receives rules when they begin to be used. */
  readonly onRules: ((rules: Rules) => void) | undefined;
};

/** The rules that a service decides by, until others take their place. */
export class RulesInUse {
  readonly #options: RulesInUseOptions;
  #rulebook: Rulebook;
  /** Of several that are being made ready the last are used. */
  #latest: Rules | undefined;

  constructor(options: RulesInUseOptions) {
    this.#options = options;
    const { rules, plans, settings } = options;
    this.#rulebook = { rules, plans, settings };
    options.onRules?.(rules);
  }

  get rulebook(): Rulebook {
    return this.#rulebook;
  }

  /** Has what is held under limits that change go back; what is returned has the rules be used. */
  prepare(rules: Rules): Maybe<() => void> {
    const { store, plans } = this.#options;
    this.#latest = rules;
    return chain(giveBack(store, plans.retire(rules)), () => () => this.#use(rules));
  }

  #use(rules: Rules): void {
    if (this.#latest !== rules) return;
    const { plans, settings, onRules } = this.#options;
    plans.turn();
    this.#rulebook = { rules, plans, settings };
    onRules?.(rules);
  }
}
