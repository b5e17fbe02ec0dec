/** Reads headers, which clients may fill with anything. */

/** A set of characters: an entry for each ASCII character, and one for all others. */
export type Characters = readonly boolean[];

const OTHERS = 128;

/**
 * Returns the characters that an expression matches. Characters beyond ASCII are all in the set, or
 * none is.
 */
export function characters(expression: RegExp): Characters {
  const ascii = Array.from({ length: OTHERS }, (_, code) => String.fromCharCode(code));
  return [...ascii, "é"].map((character) => expression.test(character));
}

const SPACE = /* @__PURE__ */ characters(/[ \t]/);
/**
 * The characters that a quoted string may contain directly, and after a backslash (RFC 9110,
 * 5.6.4).
 */
const PLAIN = /* @__PURE__ */ characters(/[^"\\\p{Cc}]|\t/u);
const ESCAPABLE = /* @__PURE__ */ characters(/[^\p{Cc}]|\t/u);
/** The characters of a token (RFC 9110, 5.6.2). */
export const TOKEN = /* @__PURE__ */ characters(/[\w!#$%&'*+.^`|~-]/);

/**
 * Reads the value of a header from left to right.
 *
 * The position only moves forward, and nothing is read twice. So the work is proportional to the
 * length for any input. A regular expression over the whole can't guarantee this, because it may
 * retry from each position.
 */
export class FieldReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether everything has been read. */
  get isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Skips spaces and tabs (RFC 9110, 5.6.3). */
  space(): void {
    this.#at = this.#endOf(SPACE);
  }

  /** Skips one character if it comes next. Returns whether it did. */
  takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** Reads all characters of a set that come next. Returns "" if there are none. */
  span(allowed: Characters): string {
    const start = this.#at;
    this.#at = this.#endOf(allowed);
    return start === this.#at ? "" : this.#text.slice(start, this.#at);
  }

  /**
   * Reads the quoted string that comes next. Returns what is between its quotes, with escapes.
   *
   * Undefined if no quoted string comes next. Undefined too if its end is missing; then nothing
   * more is read.
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

  /** Stops reading: the rest counts as read. */
  stop(): void {
    this.#at = this.#text.length;
  }

  #takesOne(allowed: Characters): boolean {
    if (!isIn(allowed, this.#text, this.#at)) return false;
    this.#at++;
    return true;
  }

  /** Returns the position after all characters of a set that come next. */
  #endOf(allowed: Characters): number {
    let end = this.#at;
    while (isIn(allowed, this.#text, end)) end++;
    return end;
  }
}

function isIn(allowed: Characters, text: string, at: number): boolean {
  return at < text.length && (allowed[Math.min(text.charCodeAt(at), OTHERS)] as boolean);
}

/** Removes the backslash before each escaped character of a string that `quoted` returned. Pure. */
export function unescaped(content: string): string {
  let meaning = "";
  let start = 0;
  for (let at = content.indexOf("\\"); at >= 0; at = content.indexOf("\\", start + 1)) {
    meaning += content.slice(start, at);
    start = at + 1;
  }
  return meaning + content.slice(start);
}
