import { digest } from "../internal/index.ts";
import { SpillwayError } from "../limits/core/index.ts";

/** The longest key a store sees, in UTF-16 units. */
export const LONGEST_KEY = 256;
const DIGEST = "sha256:";
/** A shorter key that begins otherwise is stored as it is. */
export const DIGEST_INITIAL = DIGEST.charCodeAt(0);

/**
 * The key as a store sees it: itself, or the digest of a long one. Two keys never become one: a key
 * that reads like a digest is digested itself. Pure.
 */
export function storedKey(key: string): string {
  return key.length > LONGEST_KEY || key.startsWith(DIGEST) ? DIGEST + digest(key) : key;
}

/** What to throw for a key that is not one; one that is undefined is not one that was left out. */
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

/** A text of what is not there, or of an object, would be the same for everybody. */
function hintFor(key: unknown): string {
  if (key === undefined || key === null) {
    return `${key === null ? "A null" : "An undefined"} key would put everybody into one budget; leave \`key\` out where that is meant`;
  }
  if (Array.isArray(key)) return "Join several parts with a separator that none of them contains";
  if (typeof key === "number" || typeof key === "bigint") return "Write String(key)";
  return "Pass what names the caller, such as user.id";
}
