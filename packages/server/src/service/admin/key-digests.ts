import { createHmac, randomBytes } from "node:crypto";
import type { KeyCount } from "./contracts.ts";

const SECRET_BYTES = 32;
/** The length of a digest, in hexadecimal digits: 64 bits. */
const DIGITS = 16;

/**
 * Digests of keys by a secret of this process. They compare keys within its life, and reveal none:
 * without the secret, guessed keys can't be tried.
 */
export class KeyDigests {
  readonly #secret = randomBytes(SECRET_BYTES);

  /** Returns 16 hexadecimal digits. */
  of({ limit, key = "" }: Pick<KeyCount, "limit" | "key">): string {
    const hmac = createHmac("sha256", this.#secret);
    return hmac.update(`${limit}\0${key}`, "utf16le").digest("hex").slice(0, DIGITS);
  }
}
