import { type Member, members } from "./fields.ts";

/** What is needed of `Headers`. */
export type ReadableHeaders = { get(name: string): string | null };

/** The headers of one answer. A structured field is parsed once, however many forms are looked for in it. */
export class AnswerHeaders {
  readonly #headers: ReadableHeaders;
  readonly #parsed = new Map<string, readonly Member[]>();

  constructor(headers: ReadableHeaders) {
    this.#headers = headers;
  }

  /** The value, by the name in lower case. */
  text(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  /** The same as a list or a dictionary; empty where it isn't there. */
  members(name: string): readonly Member[] {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const parsed = members(this.text(name) ?? "");
    this.#parsed.set(name, parsed);
    return parsed;
  }
}
