/** The used part of WebCrypto, which Node, Deno, Bun, Workers and browsers have. */

/** A key that `importKey` returns. */
export type HmacKey = object;

type Bytes = ArrayBuffer | Uint8Array;

declare const crypto: {
  getRandomValues(bytes: Uint8Array): Uint8Array;
  readonly subtle: {
    importKey(
      format: "raw",
      secret: Bytes,
      algorithm: { readonly name: "HMAC"; readonly hash: "SHA-256" },
      extractable: boolean,
      uses: readonly string[],
    ): Promise<HmacKey>;
    sign(algorithm: "HMAC", key: HmacKey, data: Bytes): Promise<ArrayBuffer>;
    verify(algorithm: "HMAC", key: HmacKey, mac: Bytes, data: Bytes): Promise<boolean>;
  };
};
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const btoa: (binary: string) => string;
declare const atob: (base64: string) => string;

const encoder = new TextEncoder();

/** Imports a secret as a key for HMAC-SHA-256 (RFC 2104). */
export function hmacKey(secret: string | Uint8Array): Promise<HmacKey> {
  const raw = typeof secret === "string" ? encoder.encode(secret) : secret;
  const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
  return crypto.subtle.importKey("raw", raw, algorithm, false, ["sign", "verify"]);
}

/** Returns the code of a text as Base64 for URLs: 43 characters. */
export async function macOf(key: HmacKey, text: string): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(text));
  return base64url(new Uint8Array(mac));
}

/** Whether a code belongs to a text. The runtime compares them in constant time. */
export function isMac(
  key: HmacKey,
  { mac, text }: { readonly mac: string; readonly text: string },
): Promise<boolean> {
  return crypto.subtle.verify("HMAC", key, bytesOf(mac), encoder.encode(text));
}

/** Returns 128 unguessable random bits as Base64 for URLs: 22 characters. */
export function randomId(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(16)));
}

/** Returns the length of a secret in bytes. Pure. */
export function lengthOf(secret: string | Uint8Array): number {
  return typeof secret === "string" ? encoder.encode(secret).length : secret.length;
}

function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Decodes Base64 for URLs. The text must be valid, with a possible length. */
function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
