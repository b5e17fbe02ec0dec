import { createHash } from "node:crypto";

/** The longest key a store takes, in UTF-16 units; a shard's number may precede it. */
const LONGEST_KEY = 256;
const DIGEST = "sha256:";

/**
 * The key as a store sees it: itself, or the digest of a long one. Keys of rules begin with a digit,
 * so that none reads like a digest. Pure.
 */
export function storedKey(key: string | undefined): string | undefined {
  if (key === undefined || key.length <= LONGEST_KEY) return key;
  return DIGEST + createHash("sha256").update(key, "utf16le").digest("base64url");
}
