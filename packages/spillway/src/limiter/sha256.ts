/**
 * SHA-256 (FIPS 180-4) over the UTF-16 units of a text, so that texts that differ only in lone
 * surrogates differ here too. In TypeScript, because the runtimes' own are asynchronous or differ.
 */

/** Fractional bits of the cube roots of the first 64 primes. */
const ROUNDS = fractions(64, Math.cbrt);
/** Fractional bits of the square roots of the first 8 primes. */
const START = fractions(8, Math.sqrt);

/** The digest, as 64 hexadecimal digits. Pure; takes some 10 ms for a million characters. */
export function sha256(text: string): string {
  const words = padded(text);
  const digest = Uint32Array.from(START);
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16));
    mix(digest, schedule);
  }
  return Array.from(digest, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The text as big-endian words: a one bit, zeros, and the length in bits at the end. */
function padded(text: string): Uint32Array {
  const bytes = text.length * 2;
  const words = new Uint32Array(Math.ceil((bytes + 9) / 64) * 16);
  for (let index = 0; index < text.length; index++) {
    const shift = index % 2 === 0 ? 16 : 0;
    words[index >> 1] = (words[index >> 1] as number) | (text.charCodeAt(index) << shift);
  }
  words[bytes >> 2] = (words[bytes >> 2] as number) | (bytes % 4 === 0 ? 0x80000000 : 0x8000);
  words[words.length - 2] = Math.floor(bytes / 2 ** 29);
  words[words.length - 1] = bytes << 3;
  return words;
}

function mix(digest: Uint32Array, w: Uint32Array): void {
  const at = (index: number) => w[index] as number;
  for (let i = 16; i < 64; i++) {
    const s0 = turn(at(i - 15), 7) ^ turn(at(i - 15), 18) ^ (at(i - 15) >>> 3);
    const s1 = turn(at(i - 2), 17) ^ turn(at(i - 2), 19) ^ (at(i - 2) >>> 10);
    w[i] = at(i - 16) + s0 + at(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = digest;
  for (let i = 0; i < 64; i++) {
    const sum1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + sum1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + at(i)) | 0;
    const sum0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    digest[index] = (digest[index] as number) + word;
  });
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const words = new Uint32Array(count);
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
