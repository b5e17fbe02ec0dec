import type { Store } from "spillway";
import { chain, type MaybePromise } from "spillway/support";
import type { Rules } from "../../rules/index.ts";
import { giveBack } from "./give-back.ts";
import type { Rulebook } from "./rulebook.ts";

/** The first rules of a service, and what is notified of new ones. */
export type RulesInUseOptions = Rulebook & {
  /** The store that lends units under the rules. */
  readonly store: Store;
  /** Called with rules when they come into use. */
  readonly onRules: ((rules: Rules) => void) | undefined;
};

/** The rules by which a service decides, until they are replaced. */
export class RulesInUse {
  readonly #options: RulesInUseOptions;
  #rulebook: Rulebook;
  /** The rules prepared last, which are used if several are being prepared. */
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

  /**
   * Gives back the units held under limits that change. The returned function puts the rules into
   * use.
   */
  prepare(rules: Rules): MaybePromise<() => void> {
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
