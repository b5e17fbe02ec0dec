import { type Digest, digestIn } from "./digest.ts";
import { sha256OfBytes } from "./sha256.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/**
 * Returns the SHA-256 of a text in UTF-8, as 64 hexadecimal digits. Pure; the same in every
 * runtime.
 *
 * For digests that programs in other languages compute too. Not for keys: texts that differ only in
 * lone surrogates have the same digest.
 */
export const digestUtf8: Digest = /* @__PURE__ */ digestIn("utf8", (text) =>
  sha256OfBytes(new TextEncoder().encode(text)),
);
