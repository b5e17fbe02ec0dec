const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A text's UTF-16 units in hexadecimal: for text that UTF-8 can't carry, or a database. Pure. */
export function utf16Hex(text: string): string {
  let hex = "";
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hex += `${BYTES[unit >>> 8]}${BYTES[unit & 0xff]}`;
  }
  return hex;
}
