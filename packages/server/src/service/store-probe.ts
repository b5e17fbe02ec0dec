/** Finds out whether a store answers, for health checks. */
import type { Store } from "spillway";
import { SECOND } from "spillway/core";
import { elapsed } from "spillway/support";
import { listRules, type Rule, type Rules } from "../rules/index.ts";
import type { Rulebook } from "./rulebook/rulebook.ts";

/** The number of keys read by a probe: on a cluster they are spread over many nodes. */
const PROBES = 16;

type ProbeOptions = {
  readonly store: Store;
  /** Returns the rules in use. */
  readonly rulebook: () => Rulebook;
  /** Milliseconds since some instant. Default: the machine's monotonic clock. */
  readonly time?: () => number;
};

/** Probes a store at most once a second, for any number of callers. */
export class StoreProbe {
  readonly #options: ProbeOptions;
  /** The last result, which may still be pending. */
  #fails: Promise<boolean> | undefined;
  #since = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  /** A rule whose limit is probed, and the rules that it is of. */
  #rule: Rule | undefined;
  #rules: Rules | undefined;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /**
   * Whether the store left some of the last probe unanswered. The probe is less than a second old.
   */
  fails(): Promise<boolean> {
    const now = (this.#options.time ?? elapsed)();
    if (this.#fails !== undefined && (this.#isAsking || now - this.#since < SECOND)) {
      return this.#fails;
    }
    this.#since = now;
    this.#isAsking = true;
    this.#fails = this.#ask().finally(() => {
      this.#isAsking = false;
    });
    return this.#fails;
  }

  /**
   * Reads values, which have no fallback: decisions would be made without the store, and counted.
   */
  async #ask(): Promise<boolean> {
    const { store, rulebook } = this.#options;
    const { rules, plans } = rulebook();
    const rule = this.#limitedRule(rules);
    if (rule === undefined) return false;
    const planned = plans.of(rule);
    const values = Array.from({ length: PROBES }, async (_, number) =>
      store.execute({ verb: "value", budgets: [{ ...planned, key: `probe ${number}` }] }),
    );
    const outcomes = await Promise.allSettled(values);
    return outcomes.some(({ status }) => status === "rejected");
  }

  /** Cached, because there may be thousands of rules. */
  #limitedRule(rules: Rules): Rule | undefined {
    if (this.#rules !== rules) {
      this.#rules = rules;
      this.#rule = listRules(rules).find(({ limit }) => limit !== "unlimited");
    }
    return this.#rule;
  }
}
