/**
 * Patterns of one key, found without trying each of them.
 *
 * They are kept by what stands before their first star, and then by what stands after their last:
 * for each length of a beginning and of an end there is one look-up, however many patterns there
 * are. Only patterns with the same beginning and the same end are tried one by one.
 */
import { hasMiddles, prefixOf, suffixOf, type Wildcard } from "./wildcard.ts";

/** A pattern, where its rule file has it, and what it leads to. */
export type Pattern<T> = { readonly wildcard: Wildcard; readonly order: number; readonly to: T };

/** Texts by length: those of one length are looked up by one slice. */
type ByLength<T> = Map<number, Map<string, T>>;

/** The patterns with one beginning. */
type Endings<T> = ByLength<Pattern<T>[]>;

type Ends = { readonly start: string; readonly end: string };

/** Patterns; where several fit, the one that stands first in its file does. */
export class Patterns<T> {
  readonly #beginnings: ByLength<Endings<T>> = new Map();
  readonly #all: Pattern<T>[] = [];

  /** In the order in which they were added. */
  get all(): readonly Pattern<T>[] {
    return this.#all;
  }

  /** Adds a pattern; its order is above that of all before. */
  add(pattern: Pattern<T>): void {
    this.#all.push(pattern);
    const endings = entry(this.#beginnings, prefixOf(pattern.wildcard), () => new Map());
    entry<Pattern<T>[]>(endings, suffixOf(pattern.wildcard), () => []).push(pattern);
  }

  /** The first pattern that stands for a text; undefined where none does. */
  find(text: string): Pattern<T> | undefined {
    return this.#first({ start: text, end: text }, (wildcard) => hasMiddles(wildcard, text));
  }

  /** The first pattern that stands for whatever another one does, as far as ends can show it. */
  covering(wildcard: Wildcard): Pattern<T> | undefined {
    const ends = { start: prefixOf(wildcard), end: suffixOf(wildcard) };
    return this.#first(ends, ({ length }) => length === 2);
  }

  #first({ start, end }: Ends, fits: (wildcard: Wildcard) => boolean): Pattern<T> | undefined {
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

/** Everything that is kept under the parts of a text, whatever their length. */
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
