/**
 * Parses the structured fields (RFC 9651) of rate limits: lists and dictionaries with parameters.
 */
import { characters, FieldReader, unescaped } from "../../internal/index.ts";

/** A bare item: a string, a token, a number or true. Byte sequences keep their colons. */
export type BareItem = string | number | true;

/** A member of a list or a dictionary. In a list, `key` is undefined. */
export type FieldMember = {
  readonly key: string | undefined;
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
};

/**
 * The bounds for one field, in characters, members, and parameters of each member. Real fields are
 * smaller.
 */
const LONGEST = 8192;
const MOST_MEMBERS = 64;
const MOST_PARAMETERS = 32;

const KEY = characters(/[a-z\d_.*-]/i);
const BASE64 = characters(/[a-z\d+/=]/i);
/** The characters of numbers and tokens: anything up to a delimiter. */
const PLAIN = characters(/[^\s",;=]/);

/**
 * Parses a list or a dictionary. Pure; never throws.
 *
 * A malformed member ends the parsing. The members before it still count, because a truncated field
 * is better than no field.
 */
export function members(field: string): readonly FieldMember[] {
  const reader = new FieldReader(field.slice(0, LONGEST));
  const found: FieldMember[] = [];
  do {
    reader.space();
    const read = member(reader);
    if (read === undefined) break;
    found.push(read);
  } while (reader.takes(",") && found.length < MOST_MEMBERS);
  return found;
}

function member(reader: FieldReader): FieldMember | undefined {
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

/** Parsing stops after malformed or too many parameters. */
function parametersOf(reader: FieldReader): ReadonlyMap<string, BareItem> {
  const parameters = new Map<string, BareItem>();
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

/** @param start The part of the item that was already read. */
function bareItem(reader: FieldReader, start = ""): BareItem | undefined {
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
