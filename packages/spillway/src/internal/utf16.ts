/** A text's UTF-16 units in hexadecimal: for text that UTF-8 can't carry, or a database. Pure. */
export function utf16Hex(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return units.map((unit) => unit.toString(16).padStart(4, "0")).join("");
}
