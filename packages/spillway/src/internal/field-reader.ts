/** Readers of headers that strangers write. */

/** A set of characters: an entry for each of ASCII, and one for all others. */
export type Characters = readonly boolean[];

const OTHERS = 128;

/** The characters that an expression matches; of those beyond ASCII, all or none. */
export function characters(expression: RegExp): Characters {
  const ascii = Array.from({ length: OTHERS }, (_, code) => String.fromCharCode(code));
  return [...ascii, "é"].map((character) => expression.test(character));
}

const SPACE = characters(/[ \t]/);
/** What a quoted string may hold as it is, and behind a backslash (RFC 9110, 5.6.4). */
const PLAIN = characters(/[^"\\\p{Cc}]|\t/u);
const ESCAPABLE = characters(/[^\p{Cc}]|\t/u);
/** What a token is made of (RFC 9110, 5.6.2). */
export const TOKEN = characters(/[\w!#$%&'*+.^`|~-]/);

/**
 * Reads the value of a header from left to right.
 *
 * The place only goes forward, and nothing is read twice: the work grows with the length alone, whatever
 * a stranger writes. An expression over the whole can't promise that, for it may try again from each place.
 */
export class FieldReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether all was read. */
  get isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Passes over spaces and tabs (RFC 9110, 5.6.3). */
  space(): void {
    this.#at = this.#endOf(SPACE);
  }

  /** Passes over one character where it comes next; whether it did. */
  takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** As many characters of a set as come next; "" where none does. */
  span(allowed: Characters): string {
    const start = this.#at;
    this.#at = this.#endOf(allowed);
    return start === this.#at ? "" : this.#text.slice(start, this.#at);
  }

  /**
   * What is between the quotes of a string that comes next, with its escapes. Undefined where none comes, or
   * one that doesn't end; then nothing more is read.
   */
  quoted(): string | undefined {
    if (!this.takes('"')) return undefined;
    const start = this.#at;
    do this.#at = this.#endOf(PLAIN);
    while (this.takes("\\") && this.#takesOne(ESCAPABLE));
    const content = this.#text.slice(start, this.#at);
    if (this.takes('"')) return content;
    this.stop();
    return undefined;
  }

  /** Reads nothing more. */
  stop(): void {
    this.#at = this.#text.length;
  }

  #takesOne(allowed: Characters): boolean {
    if (!isIn(allowed, this.#text, this.#at)) return false;
    this.#at++;
    return true;
  }

  /** The place behind all characters of a set that come next. */
  #endOf(allowed: Characters): number {
    let end = this.#at;
    while (isIn(allowed, this.#text, end)) end++;
    return end;
  }
}

function isIn(allowed: Characters, text: string, at: number): boolean {
  return at < text.length && (allowed[Math.min(text.charCodeAt(at), OTHERS)] as boolean);
}

/** What a string means that `quoted` has found: without the backslash before each escaped character. Pure. */
export function unescaped(content: string): string {
  let meaning = "";
  let start = 0;
  for (let at = content.indexOf("\\"); at >= 0; at = content.indexOf("\\", start + 1)) {
    meaning += content.slice(start, at);
    start = at + 1;
  }
  return meaning + content.slice(start);
}
