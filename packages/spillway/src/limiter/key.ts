import { digest } from "../internal/index.ts";
import { SpillwayError } from "../limits/core/index.ts";

/** The longest key that a store receives, in UTF-16 units. */
export const LONGEST_KEY = 256;
const DIGEST = "sha256:";
/** A key up to the longest length that does not begin with this character is stored unchanged. */
export const DIGEST_INITIAL = DIGEST.charCodeAt(0);

/**
 * Returns the key that a store receives: the key itself, or the digest of a long one. Pure.
 *
 * Two keys never become one: a key that looks like a digest is also replaced by its digest.
 */
export function storedKey(key: string): string {
  return key.length > LONGEST_KEY || key.startsWith(DIGEST) ? DIGEST + digest(key) : key;
}

/** Returns the error for an invalid key. An undefined key is invalid; a missing one is not. */
export function badKey(limit: string, key: unknown): SpillwayError {
  return new SpillwayError({
    code: "bad-key",
    limit,
    field: "key",
    value: key,
    isPrivate: true,
    expected: "a string",
    hint: hintFor(key),
  });
}

/** A missing value or an object, converted to text, would be the same key for all callers. */
function hintFor(key: unknown): string {
  if (key === undefined || key === null) {
    const found = key === null ? "A null" : "An undefined";
    return `${found} key would be one budget for all; if you mean that, leave \`key\` out`;
  }
  if (Array.isArray(key)) return "Join several parts with a separator that none of them contains";
  if (typeof key === "number" || typeof key === "bigint") return "Write String(key)";
  return "Pass what names the caller, such as user.id";
}
