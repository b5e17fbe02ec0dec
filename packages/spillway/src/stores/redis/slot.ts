/** Computes which of a cluster's 16384 slots a key belongs to. */
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const encoder = new TextEncoder();
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 8;
  for (let bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1;
  return sum;
});

/**
 * Returns a key's slot, from 0 to 16383: CRC-16/XMODEM modulo 16384. Pure.
 *
 * The hash covers the text between the first `{` and the next `}`, or the whole key if there is no
 * such text.
 */
export function slotOf(key: string): number {
  const open = key.indexOf("{");
  const close = key.indexOf("}", open + 1);
  const tagged = open >= 0 && close > open + 1;
  return crc16(encoder.encode(tagged ? key.slice(open + 1, close) : key)) % 16384;
}

function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum = ((sum << 8) & 0xffff) ^ (TABLE[((sum >> 8) ^ byte) & 0xff] as number);
  }
  return sum;
}
