import { type FieldMember, members } from "./fields.ts";

/** The used part of `Headers`. */
export type ReadableHeaders = { get(name: string): string | null };

/** The headers of one response. Each structured field is parsed only once. */
export class AnswerHeaders {
  readonly #headers: ReadableHeaders;
  readonly #parsed = new Map<string, readonly FieldMember[]>();

  constructor(headers: ReadableHeaders) {
    this.#headers = headers;
  }

  /** Returns a header's value. `name` is in lower case. */
  text(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }

  /** Returns a header's value as a list or dictionary; empty if the header is missing. */
  members(name: string): readonly FieldMember[] {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const parsed = members(this.text(name) ?? "");
    this.#parsed.set(name, parsed);
    return parsed;
  }
}
