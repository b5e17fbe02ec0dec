/** Reads what was used from an answer's bytes as they go by: of one JSON document, or of a stream of events. */
import type { ClientResponse } from "../../http/advice/index.ts";
import type { Counts } from "./counts.ts";
import { JsonScan } from "./json-scan.ts";
import { mergedUsage, type UsageObject, usedBy } from "./usage.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;
const DATA_FIELD = "data";

/** What reads an answer of such a type; undefined for one that says nothing of usage. */
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
  /** Of a line of events: how much of its field's name is `data`; -1: it is another field. */
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

  /** What is known so far; undefined where nothing was said. */
  get used(): Counts | undefined {
    return usedBy(this.#usage);
  }

  /** The next bytes. Anything else is ignored. */
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

  /** An event ends with an empty line; the lines of one are one text. */
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
      // No JSON, whatever its answer says it is.
    }
  }
}
