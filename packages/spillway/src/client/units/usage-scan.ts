/**
 * Reads the used units from an answer's bytes as they pass: of a JSON document, or of a stream of
 * events.
 */
import type { ClientResponse } from "../../http/advice/index.ts";
import type { Counts } from "./counts.ts";
import { JsonScan } from "./json-scan.ts";
import { mergedUsage, type UsageObject, usedBy } from "./usage.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;
const DATA_FIELD = "data";

/**
 * Returns a scan for an answer of this content type; undefined if such answers do not report usage.
 */
export function usageScan({ headers }: ClientResponse): UsageScan | undefined {
  const type = headers.get("content-type") ?? "";
  const isStream = /^text\/event-stream\b/i.test(type);
  return isStream || /^application\/(?:[\w.-]+\+)?json\b/i.test(type)
    ? new UsageScan(isStream)
    : undefined;
}

export class UsageScan {
  readonly #isStream: boolean;
  readonly #json: JsonScan;
  #usage: UsageObject | undefined;
  /**
   * In a line of events: how many characters of the field name `data` have matched; -1 if it is
   * another field.
   */
  #matched = 0;
  #isData = false;
  #length = 0;

  /** @param isStream Whether it is `text/event-stream`. */
  constructor(isStream: boolean) {
    this.#isStream = isStream;
    this.#json = new JsonScan((json) => {
      this.#found(json);
    });
  }

  /** The units reported so far; undefined if there are none. */
  get used(): Counts | undefined {
    return usedBy(this.#usage);
  }

  /** Reads the next bytes. Ignores anything that is not a `Uint8Array`. */
  chunk(bytes: unknown): void {
    if (!(bytes instanceof Uint8Array)) return;
    for (const byte of bytes) {
      if (this.#isStream) this.#ofLine(byte);
      else this.#json.byte(byte);
    }
  }

  #ofLine(byte: number): void {
    if (byte === RETURN) return;
    if (byte === NEWLINE) this.#endLine();
    else if (this.#isData) this.#json.byte(byte);
    else if (byte === COLON && this.#matched === DATA_FIELD.length) this.#isData = true;
    else {
      this.#length++;
      const isNext = this.#matched >= 0 && byte === DATA_FIELD.charCodeAt(this.#matched);
      this.#matched = isNext ? this.#matched + 1 : -1;
    }
  }

  /** Ends a line. An empty line ends an event; all data lines of an event form one document. */
  #endLine(): void {
    if (!this.#isData && this.#length === 0) this.#json.restart();
    this.#isData = false;
    this.#matched = 0;
    this.#length = 0;
  }

  #found(json: string): void {
    try {
      this.#usage = mergedUsage(this.#usage, JSON.parse(json) as UsageObject);
    } catch {
      // The text is not JSON, despite its content type.
    }
  }
}
