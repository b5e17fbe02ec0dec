import { nodeCrypto } from "./digest.ts";
import { sha256OfBytes } from "./sha256.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const encoder = /* @__PURE__ */ new TextEncoder();
const crypto = nodeCrypto;

/**
 * Returns the SHA-256 of a text in UTF-8, as 64 hexadecimal digits. Pure; the same in every
 * runtime.
 *
 * For digests that programs in other languages compute too. Not for keys: texts that differ only in
 * lone surrogates have the same digest.
 */
export const digestUtf8: (text: string) => string =
  crypto === undefined
    ? (text) => sha256OfBytes(encoder.encode(text))
    : (text) => crypto.createHash("sha256").update(text, "utf8").digest("hex");
