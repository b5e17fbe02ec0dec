import { digest } from "./digest.ts";

/** UTF-16 units in a block of SHA-256, which has 64 bytes. */
const BLOCK = 32;

/**
 * Makes HMAC-SHA-256 (RFC 2104) under a secret, over texts in UTF-16LE: 64 hexadecimal digits. It answers at once,
 * in every runtime. Not for codes that are compared with what a stranger sends: that takes time by what is right.
 */
export function hmac(secret: string): (text: string) => string {
  const key = secret.length > BLOCK ? asText(digest(secret)) : secret;
  const inner = padded(key, 0x3636);
  const outer = padded(key, 0x5c5c);
  return (text) => digest(outer + asText(digest(inner + text)));
}

/** A key as long as a block, each unit mixed with a constant. */
function padded(key: string, constant: number): string {
  const units = Array.from({ length: BLOCK }, (_, at) => (key.charCodeAt(at) || 0) ^ constant);
  return String.fromCharCode(...units);
}

/** The text that has the bytes of a digest, the lower of two first. */
function asText(hex: string): string {
  const pairs = hex.match(/.{4}/g) ?? [];
  const units = pairs.map((pair) => Number.parseInt(pair.slice(2) + pair.slice(0, 2), 16));
  return String.fromCharCode(...units);
}
