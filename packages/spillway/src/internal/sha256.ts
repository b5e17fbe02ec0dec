/**
 * SHA-256 (FIPS 180-4) over a text in UTF-16LE, or over bytes.
 *
 * UTF-16LE keeps texts apart that differ only in lone surrogates. For runtimes without a
 * synchronous SHA-256 of their own; see `digest.ts`.
 *
 * Words are signed 32-bit integers, and a block allocates nothing, so that engines compile this to
 * machine integers.
 */

/** UTF-16 units in a block of 64 bytes. */
const UNITS = 32;
/** Units of the last block before the text's length, which ends it. */
const UNITS_BEFORE_LENGTH = 28;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUNDS = /* @__PURE__ */ fractions(64, Math.cbrt);
/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const START = /* @__PURE__ */ fractions(8, Math.sqrt);

/** The words of the current block. */
const schedule = /* @__PURE__ */ new Int32Array(64);

/**
 * Returns the digest of a text, as 64 hexadecimal digits. Pure; takes about 10 ms for a million
 * UTF-16 units.
 */
export function sha256(text: string): string {
  const digest = Int32Array.from(START);
  const whole = text.length - (text.length % UNITS);
  for (let at = 0; at < whole; at += UNITS) {
    for (let word = 0; word < 16; word++) {
      const unit = at + 2 * word;
      schedule[word] = (swapped(text.charCodeAt(unit)) << 16) | swapped(text.charCodeAt(unit + 1));
    }
    mix(digest);
  }
  const units = ending(text, whole);
  for (let at = 0; at < units.length; at += UNITS) {
    for (let word = 0; word < 16; word++) {
      const unit = at + 2 * word;
      schedule[word] = ((units[unit] as number) << 16) | (units[unit + 1] as number);
    }
    mix(digest);
  }
  return inHex(digest);
}

const BLOCK = 64;

/** Returns the digest of bytes, as 64 hexadecimal digits. Pure; copies the bytes. */
export function sha256OfBytes(bytes: Uint8Array): string {
  const blocks = Math.ceil((bytes.length + 9) / BLOCK);
  const padded = new DataView(new ArrayBuffer(blocks * BLOCK));
  for (let at = 0; at < bytes.length; at++) padded.setUint8(at, bytes[at] as number);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, (bytes.length * 8) >>> 0);
  const digest = Int32Array.from(START);
  for (let at = 0; at < padded.byteLength; at += BLOCK) {
    for (let word = 0; word < 16; word++) schedule[word] = padded.getInt32(at + 4 * word);
    mix(digest);
  }
  return inHex(digest);
}

function inHex(digest: Int32Array): string {
  return Array.from(digest, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * Returns the one or two last blocks: the remaining text, a one bit, zeros, and the length in bits.
 */
function ending(text: string, from: number): readonly number[] {
  const units: number[] = [];
  for (let at = from; at < text.length; at++) units.push(swapped(text.charCodeAt(at)));
  units.push(0x8000);
  while (units.length % UNITS !== UNITS_BEFORE_LENGTH) units.push(0);
  const bits = text.length * 16;
  units.push(0, Math.floor(bits / 2 ** 32), (bits >>> 16) & 0xffff, bits & 0xffff);
  return units;
}

/**
 * Swaps the bytes of a unit: words are read highest byte first, and UTF-16LE has the lowest first.
 */
function swapped(unit: number): number {
  return ((unit & 0xff) << 8) | (unit >>> 8);
}

/**
 * Mixes the current block into a digest.
 *
 * Rotations and assignments are written out, which makes it twice as fast: engines inline only a
 * limited number of small functions in a loop.
 */
function mix(digest: Int32Array): void {
  spread();
  let a = digest[0] as number;
  let b = digest[1] as number;
  let c = digest[2] as number;
  let d = digest[3] as number;
  let e = digest[4] as number;
  let f = digest[5] as number;
  let g = digest[6] as number;
  let h = digest[7] as number;
  for (let i = 0; i < 64; i++) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const chosen = (e & f) ^ (~e & g);
    const t1 = (h + sum1 + chosen + (ROUNDS[i] as number) + (schedule[i] as number)) | 0;
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) digest[i] = ((digest[i] as number) + (sums[i] as number)) | 0;
}

/** Expands the block's 16 words to 64. */
function spread(): void {
  for (let i = 16; i < 64; i++) {
    const x = schedule[i - 15] as number;
    const y = schedule[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    schedule[i] = ((schedule[i - 16] as number) + s0 + (schedule[i - 7] as number) + s1) | 0;
  }
}

function fractions(count: number, root: (prime: number) => number): Int32Array {
  const words = new Int32Array(count);
  for (let prime = 2, found = 0; found < count; prime++) {
    if (isPrime(prime)) words[found++] = Math.floor((root(prime) % 1) * 2 ** 32);
  }
  return words;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
    if (candidate % divisor === 0) return false;
  }
  return true;
}
