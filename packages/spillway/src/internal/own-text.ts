/**
 * The length in UTF-16 units from which V8 makes a substring a reference to the whole text, not a
 * copy.
 */
const SHARED_FROM = 13;

/**
 * Returns the same text in memory of its own. Pure.
 *
 * A key is often a part of something that a client sent, such as a header of 8 KiB. Without a copy
 * it would keep the whole header in memory.
 */
export function ownText<T extends string | undefined>(text: T): T {
  if (text === undefined || text.length < SHARED_FROM) return text;
  const half = text.length >> 1;
  // `join` writes a new text; concatenation and `slice` may only refer to the parts.
  return [text.slice(0, half), text.slice(half)].join("") as T;
}
