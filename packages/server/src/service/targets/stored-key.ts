import { createHash } from "node:crypto";

/** The longest key of a store in UTF-16 units. Shards may add a number in front. */
const LONGEST_KEY = 256;
const DIGEST = "sha256:";

/**
 * Returns the key that a store sees: the key itself, or the digest of a long one. Keys of rules
 * begin with a digit, so that none looks like a digest. Pure.
 */
export function storedKey(key: string | undefined): string | undefined {
  if (key === undefined || key.length <= LONGEST_KEY) return key;
  return DIGEST + createHash("sha256").update(key, "utf16le").digest("base64url");
}
