/** Whether a store answers, for whoever wants to know how the service is. */
import type { Store } from "spillway";
import { SECOND } from "spillway/core";
import { elapsed } from "spillway/support";
import { listRules, type Rule, type Rules } from "../rules/index.ts";
import type { Rulebook } from "./rulebook/rulebook.ts";

/** How many keys are read to see whether the store answers: on a cluster they are on many nodes. */
const PROBES = 16;

type ProbeOptions = {
  readonly store: Store;
  /** The rules in use. */
  readonly rulebook: () => Rulebook;
  /** Milliseconds since some instant. Default: the machine's. */
  readonly time?: () => number;
};

/** Asks a store whether it answers: once a second at most, however many want to know. */
export class StoreProbe {
  readonly #options: ProbeOptions;
  /** The last answer, which may not be there yet. */
  #fails: Promise<boolean> | undefined;
  #since = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  /** One of the rules whose limit is asked, of these rules. */
  #rule: Rule | undefined;
  #rules: Rules | undefined;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /** Whether the store gave no answer to some of what it was asked, now or less than a second ago. */
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

  /** Reads values, which have no fallback: decisions would be made without the store, and counted. */
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

  /** There may be thousands: they are searched once. */
  #limitedRule(rules: Rules): Rule | undefined {
    if (this.#rules !== rules) {
      this.#rules = rules;
      this.#rule = listRules(rules).find(({ limit }) => limit !== "unlimited");
    }
    return this.#rule;
  }
}
