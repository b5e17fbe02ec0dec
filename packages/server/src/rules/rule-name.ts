/**
 * The parts of the name under which the library knows a rule: `auth/auth_type=login/user`.
 *
 * No two rules get one name: what separates parts, and what could spoil a terminal, is %-encoded.
 */
import type { PathPart } from "./rules.ts";

/** The first part. It begins with no `:`, as the names of limits that programs define do. Pure. */
export function domainName(domain: string): string {
  return escaped(domain).replace(/^:/, encoded);
}

/** A further part: `auth_type=login`, or `user` for any value. Pure. */
export function partName({ key, value }: PathPart): string {
  return value === undefined ? escaped(key) : `${escaped(key)}=${escaped(value)}`;
}

function escaped(text: string): string {
  return text.replace(/[/=%\p{Cc}]/gu, encoded);
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
