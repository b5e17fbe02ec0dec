import type { Store } from "spillway";
import { chain, type MaybePromise } from "spillway/support";
import type { Rules } from "../../rules/index.ts";
import type { ModeSwitch } from "../modes/mode-switch.ts";
import { RuleModes } from "../modes/rule-modes.ts";
import { checkPenalties } from "./check-penalties.ts";
import { giveBack } from "./give-back.ts";
import type { Rulebook } from "./rulebook.ts";

/** The first rules of a service, and what is notified of new ones. */
export type RulesInUseOptions = Omit<Rulebook, "modes"> & {
  /** The store that lends units under the rules. */
  readonly store: Store;
  /** Called with rules when they come into use. */
  readonly onRules: ((rules: Rules) => void) | undefined;
};

const AS_DECLARED = new RuleModes();

/** The rules by which a service decides, until they are replaced, and their modes. */
export class RulesInUse {
  readonly #options: RulesInUseOptions;
  #rulebook: Rulebook;
  #switches: readonly ModeSwitch[] = [];
  /** The rules prepared last, which are used if several are being prepared. */
  #latest: Rules | undefined;

  /** @throws RulesError `no-penalties` */
  constructor(options: RulesInUseOptions) {
    this.#options = options;
    const { rules, plans, settings } = options;
    checkPenalties(rules, options.store);
    this.#rulebook = { rules, plans, settings, modes: AS_DECLARED };
    options.onRules?.(rules);
  }

  get rulebook(): Rulebook {
    return this.#rulebook;
  }

  /** The rulebook with the modes of the files, for calls that concern budgets in any mode. */
  get declared(): Rulebook {
    return { ...this.#rulebook, modes: AS_DECLARED };
  }

  /** Sets the switched modes, from the next request on. New rules keep them. */
  setModes(switches: readonly ModeSwitch[]): void {
    this.#switches = switches;
    this.#rulebook = { ...this.#rulebook, modes: new RuleModes(switches) };
  }

  /**
   * Gives back the units held under limits that change. The returned function puts the rules into
   * use.
   *
   * @throws RulesError `no-penalties`
   */
  prepare(rules: Rules): MaybePromise<() => void> {
    const { store, plans } = this.#options;
    checkPenalties(rules, store);
    this.#latest = rules;
    return chain(giveBack(store, plans.retire(rules)), () => () => this.#use(rules));
  }

  #use(rules: Rules): void {
    if (this.#latest !== rules) return;
    const { plans, settings, onRules } = this.#options;
    plans.turn();
    this.#rulebook = { rules, plans, settings, modes: new RuleModes(this.#switches) };
    onRules?.(rules);
  }
}
