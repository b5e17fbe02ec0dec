/** Structured fields (RFC 9651), as far as rate limits use them: lists and dictionaries with parameters. */
import { characters, FieldReader, unescaped } from "../../internal/index.ts";

/** A bare item: a string, a token, a number or true; byte sequences keep their colons. */
export type Bare = string | number | true;

/** A member of a list or a dictionary. In a list, `key` is undefined. */
export type Member = {
  readonly key: string | undefined;
  readonly value: Bare;
  readonly parameters: ReadonlyMap<string, Bare>;
};

/** What is read of one field: no limit of anybody's needs more. */
const LONGEST = 8192;
const MOST_MEMBERS = 64;
const MOST_PARAMETERS = 32;

const KEY = characters(/[a-z\d_.*-]/i);
const BASE64 = characters(/[a-z\d+/=]/i);
/** What numbers and tokens are made of: anything up to a delimiter. */
const PLAIN = characters(/[^\s",;=]/);

/**
 * Reads a list, or a dictionary. Pure, and never throws.
 *
 * A member that is malformed ends the reading, and those before it count: a field that is cut short is
 * worth more than none.
 */
export function members(field: string): readonly Member[] {
  const reader = new FieldReader(field.slice(0, LONGEST));
  const found: Member[] = [];
  do {
    reader.space();
    const read = member(reader);
    if (read === undefined) break;
    found.push(read);
  } while (reader.takes(",") && found.length < MOST_MEMBERS);
  return found;
}

function member(reader: FieldReader): Member | undefined {
  const start = reader.span(KEY);
  const isNamed = start !== "" && reader.takes("=");
  const value = bareItem(reader, isNamed ? "" : start);
  if (value === undefined) return undefined;
  return {
    key: isNamed ? start.toLowerCase() : undefined,
    value,
    parameters: parametersOf(reader),
  };
}

/** Nothing is read behind parameters that are malformed, or too many. */
function parametersOf(reader: FieldReader): ReadonlyMap<string, Bare> {
  const parameters = new Map<string, Bare>();
  reader.space();
  for (let left = MOST_PARAMETERS; left > 0 && reader.takes(";"); left--) {
    reader.space();
    const key = reader.span(KEY).toLowerCase();
    const value = reader.takes("=") ? bareItem(reader) : true;
    if (key === "" || value === undefined) reader.stop();
    else parameters.set(key, value);
    reader.space();
  }
  return parameters;
}

/** @param start What of it was read already. */
function bareItem(reader: FieldReader, start = ""): Bare | undefined {
  if (start === "") {
    const string = reader.quoted();
    if (string !== undefined) return unescaped(string);
    if (reader.takes(":")) return bytes(reader);
  }
  const text = start + reader.span(PLAIN);
  return text === "" ? undefined : (numberOf(text) ?? text);
}

function bytes(reader: FieldReader): string | undefined {
  const content = reader.span(BASE64);
  return reader.takes(":") ? `:${content}:` : undefined;
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,3})?$/;
const LONGEST_NUMBER = 20;

function numberOf(text: string): number | undefined {
  return text.length <= LONGEST_NUMBER && NUMBER.test(text) ? Number(text) : undefined;
}
