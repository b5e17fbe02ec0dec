/** What of a suite is wanted: `--only "some words"`, more than once for more. Pure. */

/** Nothing that can be measured is wanted: the command line is wrong, not the suite. */
export class SelectionError extends Error {}

/** Names by their words. Empty: everything. */
export class Selection {
  readonly #phrases: readonly (readonly string[])[];

  /** @param phrases A name fits a phrase that has no word which the name lacks. */
  constructor(phrases: readonly string[] = []) {
    this.#phrases = phrases.map(wordsOf);
  }

  /** Whether everything is wanted. */
  get isAll(): boolean {
    return this.#phrases.length === 0;
  }

  /**
   * Those of some things whose names fit.
   *
   * @throws SelectionError with all their names where one of the phrases fits none
   */
  of<T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] {
    if (this.isAll) return all;
    const fitting = this.#phrases.flatMap((phrase) => {
      const those = all.filter((one) => fits(phrase, nameOf(one)));
      if (those.length === 0) throw new SelectionError(nothing(phrase, all.map(nameOf)));
      return those;
    });
    return all.filter((one) => fitting.includes(one));
  }
}

function fits(phrase: readonly string[], name: string): boolean {
  const words = wordsOf(name);
  return phrase.every((word) => words.includes(word));
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,/]+/)
    .filter(Boolean);
}

function nothing(phrase: readonly string[], names: readonly string[]): string {
  return [`--only ${JSON.stringify(phrase.join(" "))} fits none of`, ...names].join("\n  ");
}
