/**
 * Finds the pattern that matches a text without trying each one.
 *
 * Patterns are indexed by the text before their first star, then by the text after their last.
 * There is one look-up for each length of a prefix and of a suffix, independent of the number of
 * patterns. Only patterns with the same prefix and suffix are tried one by one.
 */
import { hasMiddles, prefixOf, suffixOf, type Wildcard } from "./wildcard.ts";

/** A pattern, its position in the rule file, and its target. */
export type Pattern<T> = { readonly wildcard: Wildcard; readonly order: number; readonly to: T };

/** Texts by length. One slice looks up all texts of a length. */
type ByLength<T> = Map<number, Map<string, T>>;

/** The patterns with one prefix, by suffix. */
type PatternsBySuffix<T> = ByLength<Pattern<T>[]>;

type PatternEnds = { readonly start: string; readonly end: string };

/** A set of patterns. If several match, the first in the file wins. */
export class Patterns<T> {
  readonly #beginnings: ByLength<PatternsBySuffix<T>> = new Map();
  readonly #all: Pattern<T>[] = [];

  /** All patterns, in the order in which they were added. */
  get all(): readonly Pattern<T>[] {
    return this.#all;
  }

  /** Adds a pattern. Its order must be above that of all earlier ones. */
  add(pattern: Pattern<T>): void {
    this.#all.push(pattern);
    const endings = entry(this.#beginnings, prefixOf(pattern.wildcard), () => new Map());
    entry<Pattern<T>[]>(endings, suffixOf(pattern.wildcard), () => []).push(pattern);
  }

  /** Returns the first pattern that matches a text; undefined if none does. */
  find(text: string): Pattern<T> | undefined {
    return this.#first({ start: text, end: text }, (wildcard) => hasMiddles(wildcard, text));
  }

  /**
   * Returns the first pattern that matches everything another one does, as far as prefix and suffix
   * show it.
   */
  covering(wildcard: Wildcard): Pattern<T> | undefined {
    const ends = { start: prefixOf(wildcard), end: suffixOf(wildcard) };
    return this.#first(ends, ({ length }) => length === 2);
  }

  #first(
    { start, end }: PatternEnds,
    fits: (wildcard: Wildcard) => boolean,
  ): Pattern<T> | undefined {
    let first: Pattern<T> | undefined;
    for (const endings of lookUp(this.#beginnings, (length) => start.slice(0, length), start)) {
      for (const patterns of lookUp(endings, (length) => end.slice(end.length - length), end)) {
        const found = patterns.find(({ wildcard }) => fits(wildcard));
        if (found !== undefined && (first === undefined || found.order < first.order))
          first = found;
      }
    }
    return first;
  }
}

function entry<T>(texts: ByLength<T>, text: string, make: () => T): T {
  const sameLength = texts.get(text.length) ?? new Map<string, T>();
  texts.set(text.length, sameLength);
  const found = sameLength.get(text) ?? make();
  sameLength.set(text, found);
  return found;
}

/** Yields all entries whose key is a prefix or a suffix of the text. */
function* lookUp<T>(
  texts: ByLength<T>,
  part: (length: number) => string,
  { length: longest }: string,
): Generator<T> {
  for (const [length, sameLength] of texts) {
    const found = length > longest ? undefined : sameLength.get(part(length));
    if (found !== undefined) yield found;
  }
}
