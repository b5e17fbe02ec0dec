/** Structured fields (RFC 9651), as far as rate limits use them: lists and dictionaries with parameters. */

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

/** A string with its escapes, a byte sequence, or anything up to a delimiter. */
const ITEM = /^(?:"((?:[^"\\]|\\["\\])*)"|(:[A-Za-z\d+/=]*:)|([^\s",;=]+))/;
const KEY = /^([a-z*][a-z\d_.*-]*)(=?)/i;
const SPACE = /^[ \t]*/;

/**
 * Reads a list, or a dictionary. Pure, and never throws.
 *
 * A member that is malformed ends the reading, and those before it count: a field that is cut short is
 * worth more than none.
 */
export function members(field: string): readonly Member[] {
  const found: Member[] = [];
  let rest = field.slice(0, LONGEST).trim();
  while (rest !== "" && found.length < MOST_MEMBERS) {
    const read = member(rest);
    if (read === undefined) break;
    found.push(read.member);
    const next = read.rest.replace(SPACE, "");
    if (!next.startsWith(",")) break;
    rest = next.slice(1).replace(SPACE, "");
  }
  return found;
}

function member(text: string): { readonly member: Member; readonly rest: string } | undefined {
  const [whole = "", key, equals] = KEY.exec(text) ?? [];
  const isNamed = key !== undefined && equals === "=";
  const item = bareItem(isNamed ? text.slice(whole.length) : text);
  if (item === undefined) return undefined;
  const { parameters, rest } = parametersOf(item.rest);
  return {
    member: { key: isNamed ? key.toLowerCase() : undefined, value: item.value, parameters },
    rest,
  };
}

function parametersOf(text: string) {
  const parameters = new Map<string, Bare>();
  let rest = text;
  for (
    let after = rest.replace(SPACE, "");
    after.startsWith(";");
    after = rest.replace(SPACE, "")
  ) {
    after = after.slice(1).replace(SPACE, "");
    const [whole, key = "", equals] = KEY.exec(after) ?? [];
    if (whole === undefined) break;
    const item = equals === "=" ? bareItem(after.slice(whole.length)) : undefined;
    if (equals === "=" && item === undefined) break;
    parameters.set(key.toLowerCase(), item?.value ?? true);
    rest = item?.rest ?? after.slice(whole.length);
  }
  return { parameters, rest };
}

function bareItem(text: string): { readonly value: Bare; readonly rest: string } | undefined {
  const match = ITEM.exec(text);
  if (match === null) return undefined;
  const [whole, string, bytes, other = ""] = match;
  const rest = text.slice(whole.length);
  if (string !== undefined) return { value: string.replaceAll(/\\(.)/g, "$1"), rest };
  return { value: bytes ?? numberOf(other) ?? other, rest };
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,3})?$/;

function numberOf(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}
