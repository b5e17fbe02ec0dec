/**
 * Builds the name of a rule in the library, such as `auth/auth_type=login/user`.
 *
 * No two rules have the same name: separators and control characters inside parts are %-encoded.
 */
import type { PathPart } from "./rules.ts";

/**
 * Returns the first part. Unlike names of limits that programs define, it never begins with `:`.
 * Pure.
 */
export function domainName(domain: string): string {
  return escaped(domain).replace(/^:/, encoded);
}

/** Returns a further part: `auth_type=login`, or `user` for any value. Pure. */
export function partName({ key, value }: PathPart): string {
  return value === undefined ? escaped(key) : `${escaped(key)}=${escaped(value)}`;
}

function escaped(text: string): string {
  return text.replace(/[/=%\p{Cc}]/gu, encoded);
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
