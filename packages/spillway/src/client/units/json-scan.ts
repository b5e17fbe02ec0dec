/**
 * Finds `usage` objects in JSON that arrives in pieces, byte by byte, without keeping the rest.
 *
 * They are found at the top, or one level below: `{"usage": …}`, `{"message": {"usage": …}}`. The
 * word in a text of the answer is a string, and no key.
 */

/** The maximum number of bytes of a usage object; longer ones are ignored. */
const LONGEST_USAGE = 4096;
const DEEPEST_USAGE = 2;
const USAGE_KEY = "usage";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const SPACE = 0x20;

export class JsonScan {
  readonly #found: (json: string) => void;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** How many characters of the key the present string has matched; -1 if it is another string. */
  #matched = -1;
  /** Whether the last string was the key, and whether a colon came after it. */
  #state: "nothing" | "key" | "value" = "nothing";
  /** The bytes of the object that is being read, and the depth at which it ends. */
  #kept: number[] | undefined;
  #end = 0;

  /** @param found Receives the text of each object. */
  constructor(found: (json: string) => void) {
    this.#found = found;
  }

  /** Starts another document. */
  restart(): void {
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.#state = "nothing";
    this.#kept = undefined;
  }

  byte(byte: number): void {
    if (this.#kept !== undefined) this.#keep(this.#kept, byte);
    if (this.#isInString) this.#inString(byte);
    else if (byte > SPACE) this.#outside(byte);
  }

  #keep(kept: number[], byte: number): void {
    if (kept.length < LONGEST_USAGE) kept.push(byte);
    else this.#kept = undefined;
  }

  #inString(byte: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#matched = -1;
    } else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInString = false;
      this.#state = this.#matched === USAGE_KEY.length ? "key" : "nothing";
    } else if (this.#matched >= 0)
      this.#matched = byte === USAGE_KEY.charCodeAt(this.#matched) ? this.#matched + 1 : -1;
  }

  #outside(byte: number): void {
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#matched = this.#depth <= DEEPEST_USAGE && this.#kept === undefined ? 0 : -1;
    } else if (byte === OPEN || byte === OPEN_LIST) this.#open(byte);
    else if (byte === CLOSE || byte === CLOSE_LIST) this.#close();
    this.#state = byte === COLON && this.#state === "key" ? "value" : "nothing";
  }

  #open(byte: number): void {
    if (byte === OPEN && this.#state === "value" && this.#kept === undefined) {
      this.#kept = [byte];
      this.#end = this.#depth;
    }
    this.#depth++;
  }

  #close(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    const kept = this.#kept;
    if (kept === undefined || this.#depth !== this.#end) return;
    this.#kept = undefined;
    this.#found(String.fromCharCode(...kept));
  }
}
