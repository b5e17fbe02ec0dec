/** From so many UTF-16 units on, V8 makes no copy of a part of a text, but keeps all that it is a part of. */
const SHARED_FROM = 13;

/**
 * The same text, in memory of its own. A key is often a part of something that a client sent, such as a header of
 * 8 KiB, of which it would keep the whole for as long as it is kept itself. Pure.
 */
export function ownText<T extends string | undefined>(text: T): T {
  if (text === undefined || text.length < SHARED_FROM) return text;
  const half = text.length >> 1;
  // What is joined is written anew; what is concatenated or cut may only refer to its parts.
  return [text.slice(0, half), text.slice(half)].join("") as T;
}
