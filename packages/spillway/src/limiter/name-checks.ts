import type { SpillwayError, Warn } from "../limits/core/index.ts";
import { checkFields } from "./check-ask.ts";

/**
 * The number of first calls in which all option names are checked.
 *
 * A misspelt name usually appears in a program's first calls.
 */
const ALL = 100;

/**
 * After those, one call in this many is checked. A prime number, so that no regular order of calls
 * always skips the same one.
 */
const ONE_OF = 61;

/**
 * The maximum number of warnings about option names, one for each name. Calls may bring any number
 * of names.
 */
const MOST_WARNED = 100;

/**
 * Checks option names: strictly in the first calls, later in a sample of calls and with a warning.
 *
 * So a call that has worked for a long time does not occasionally throw.
 */
export class NameChecks {
  readonly #warn: Warn;
  readonly #warned = new Set<string>();
  #checked = 0;

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  /**
   * Checks a call's option names. Returns after how many calls the next check is due.
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
    // A value that can't be options has no key, and is refused when its key is read.
    if (code !== "unknown-field" || this.#warned.has(id)) return;
    if (this.#warned.size >= MOST_WARNED) return;
    this.#warned.add(id);
    this.#warn(`an option is ignored: ${message}`);
  }
}
