/** Makes foreign texts safe for messages: short, on one line, and harmless to a terminal. */

/** The default for the longest text shown, in characters. */
const LONGEST_SHOWN = 200;

/**
 * Controls, format characters (bidirectional and zero-width included), lone surrogates, line
 * separators.
 */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const QUOTED = /* @__PURE__ */ harmfulInQuotes();

function harmfulInQuotes(): RegExp {
  return new RegExp(`["\\\\]|${HARMFUL.source}`, "gu");
}

/**
 * Returns a foreign text for a message: cut, with `\u{…}` for characters that could control a
 * terminal, hide text or begin a line. `longest` is in UTF-16 units; `Infinity` cuts nothing. Pure.
 */
export function printable(text: string, longest: number = LONGEST_SHOWN): string {
  return cut(text, longest, (start) => start.replace(HARMFUL, escaped));
}

/** Returns the same in quotes, so that its end is visible. Pure. */
export function quoted(text: string, longest: number): string {
  return cut(text, longest, (start) => `"${start.replace(QUOTED, escaped)}"`);
}

function cut(text: string, longest: number, show: (start: string) => string): string {
  if (text.length <= longest) return show(text);
  return `${show(wholeStart(text, longest))}… (${text.length} characters)`;
}

/** Returns the start of a text without half a character at its end. */
function wholeStart(text: string, length: number): string {
  const isSplit = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isSplit ? length - 1 : length);
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function escaped(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
