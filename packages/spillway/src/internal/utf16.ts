const BYTES = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/**
 * Returns a text's UTF-16 units in hexadecimal, for texts that UTF-8 or a database can't store.
 * Pure.
 */
export function utf16Hex(text: string): string {
  let hex = "";
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hex += `${BYTES[unit >>> 8]}${BYTES[unit & 0xff]}`;
  }
  return hex;
}
