import type { SpillwayError, Warn } from "../limits/core/index.ts";
import { checkFields } from "./check-ask.ts";

/** Calls of which all names are checked: a misspelt one is mostly there from a program's start. */
const ALL = 100;

/** After these, one call of so many. A prime, so that no turn of call sites keeps one of them out. */
const ONE_OF = 61;

/** Names of options are warned of once each; they may come with each call. */
const MOST_WARNED = 100;

/**
 * Checks the names of options: those of the first calls strictly, and of later ones a sample, with a warning. A call
 * that has run for long does not begin to throw now and then.
 */
export class NameChecks {
  readonly #warn: Warn;
  readonly #warned = new Set<string>();
  #checked = 0;

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  /**
   * Checks a call's names, and returns in how many calls the next check is due.
   *
   * @throws SpillwayError `bad-ask`, `unknown-field`
   */
  check(limit: string, options: object, known: ReadonlySet<string>): number {
    if (this.#checked < ALL) {
      this.#checked++;
      checkFields(limit, options, known);
      return this.#checked < ALL ? 1 : ONE_OF;
    }
    try {
      checkFields(limit, options, known);
    } catch (error) {
      this.#note(error);
    }
    return ONE_OF;
  }

  #note(error: unknown): void {
    const { code, field, limit, message } = error as SpillwayError;
    const id = `${field} ${limit}`;
    // What can't be options at all has no key, and is refused where that is read.
    if (code !== "unknown-field" || this.#warned.has(id)) return;
    if (this.#warned.size >= MOST_WARNED) return;
    this.#warned.add(id);
    this.#warn(`an option is ignored: ${message}`);
  }
}
