/** Reads the words of a rate or of traffic from left to right. Errors name the place. */
import { nearest } from "spillway/support";
import { CommandError } from "../../process/command-error.ts";
import { UNITS } from "./units.ts";

/** Units of time by every accepted name, in milliseconds. */
const MS: ReadonlyMap<string, number> = new Map(
  UNITS.toReversed().flatMap(({ ms, names }) => names.map((name) => [name, ms] as const)),
);

/** A text, what it describes, and examples of valid texts. */
export type SourceText = {
  readonly text: string;
  readonly what: "rate" | "traffic";
  readonly forms: string;
};

type Word = { readonly text: string; readonly index: number };

/** @throws CommandError `bad-rate` or `bad-traffic`, from every reading method */
export class WordReader {
  readonly #source: SourceText;
  readonly #words: readonly Word[];
  #next = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#words = [...source.text.matchAll(/\d+(?:\.\d+)?|[a-z]+|[^\sa-z\d]/gi)].map(
      ({ 0: text, index }) => ({ text, index }),
    );
  }

  get isAtEnd(): boolean {
    return this.#next === this.#words.length;
  }

  /** Reads the next word if it is one of these, in any case. Returns whether it did. */
  take(...words: readonly string[]): boolean {
    const taken = words.includes(this.#word?.text.toLowerCase() ?? "");
    if (taken) this.#next++;
    return taken;
  }

  /** Reads the next word, which must be one of these. */
  expect(...words: readonly string[]): void {
    if (this.take(...words)) return;
    const near = nearest(this.#word?.text ?? "", words);
    this.#fail(words.map((word) => JSON.stringify(word)).join(" or "), { near });
  }

  /** Reads `for`. An error completes the text up to here, and has another way to say it. */
  expectFor({ such, otherwise }: { readonly such: string; readonly otherwise: string }): void {
    if (this.take("for")) return;
    const { text } = this.#source;
    const complete = `${text.slice(0, this.#word?.index).trim()} for ${such}`;
    const near = nearest(this.#word?.text ?? "", ["for"]);
    const expected = `"for" and how long, such as ${JSON.stringify(complete)}; or ${otherwise}`;
    this.#fail(expected, { near });
  }

  /** Reads a whole number of at least 1. */
  count(): number {
    const number = Number(this.#word?.text);
    if (!Number.isSafeInteger(number) || number < 1) this.#fail("a whole number, 1 or more");
    this.#next++;
    return number;
  }

  /** Reads a unit of time. Returns milliseconds. */
  unit(): number {
    const typed = this.#word?.text.toLowerCase() ?? "";
    const ms = MS.get(typed);
    if (ms === undefined) this.#fail("a unit of time", { near: nearest(typed, MS.keys()) });
    this.#next++;
    return ms as number;
  }

  /** Reads a duration, such as `2 m` or `minute`. Returns milliseconds. */
  duration(): number {
    const count = /^\d/.test(this.#word?.text ?? "") ? this.count() : 1;
    return count * this.unit();
  }

  /** Fails if words are left. */
  end(): void {
    if (!this.isAtEnd) this.#fail("nothing more");
  }

  get #word(): Word | undefined {
    return this.#words[this.#next];
  }

  #fail(expected: string, { near }: { readonly near?: string | undefined } = {}): never {
    const { text, what, forms } = this.#source;
    const word = this.#word;
    const found = word === undefined ? "its end" : JSON.stringify(word.text);
    const place = `character ${(word?.index ?? text.length) + 1}`;
    throw new CommandError(
      `bad-${what}`,
      `the ${what} ${JSON.stringify(text)} has ${found} at ${place}, expected ${expected}.` +
        `${this.#suggestion(near)} Forms: ${forms}`,
    );
  }

  #suggestion(near: string | undefined): string {
    const word = this.#word;
    if (near === undefined || word === undefined) return "";
    const { text } = this.#source;
    const corrected = text.slice(0, word.index) + near + text.slice(word.index + word.text.length);
    return ` Did you mean ${JSON.stringify(corrected)}?`;
  }
}
