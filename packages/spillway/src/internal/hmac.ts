import { digest } from "./digest.ts";

/** UTF-16 units in a block of SHA-256, which has 64 bytes. */
const BLOCK = 32;

/**
 * Creates an HMAC-SHA-256 (RFC 2104) function for a secret: texts in UTF-16LE to 64 hexadecimal
 * digits.
 *
 * Synchronous in every runtime. Not for codes that are compared with input from clients: the time
 * of a comparison shows how much of a code is right.
 */
export function hmac(secret: string): (text: string) => string {
  const key = secret.length > BLOCK ? asText(digest(secret)) : secret;
  const inner = padded(key, 0x3636);
  const outer = padded(key, 0x5c5c);
  return (text) => digest(outer + asText(digest(inner + text)));
}

/** Pads a key to the length of a block, and combines each unit with a constant (XOR). */
function padded(key: string, constant: number): string {
  const units = Array.from({ length: BLOCK }, (_, at) => (key.charCodeAt(at) || 0) ^ constant);
  return String.fromCharCode(...units);
}

/** Returns the text that has the bytes of a digest, the lower byte of each unit first. */
function asText(hex: string): string {
  const pairs = hex.match(/.{4}/g) ?? [];
  const units = pairs.map((pair) => Number.parseInt(pair.slice(2) + pair.slice(0, 2), 16));
  return String.fromCharCode(...units);
}
