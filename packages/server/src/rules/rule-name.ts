import type { PathPart } from "./rules.ts";

/**
 * The name under which the library knows a rule: `auth/auth_type=login/user`. Pure.
 *
 * No two rules get one name: what separates parts, and what could spoil a terminal, is %-encoded.
 */
export function ruleName(domain: string, path: readonly PathPart[]): string {
  return [escaped(domain), ...path.map(partName)].join("/");
}

/** One part of such a name: `auth_type=login`, or `user` for any value. Pure. */
export function partName({ key, value }: PathPart): string {
  return value === undefined ? escaped(key) : `${escaped(key)}=${escaped(value)}`;
}

function escaped(text: string): string {
  return text.replace(/[/=%\p{Cc}]/gu, encoded);
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
