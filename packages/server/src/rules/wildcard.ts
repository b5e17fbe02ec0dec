/** Patterns: texts in which each `*` matches any number of characters. */

/** A pattern, cut at its stars: at least two parts. */
export type Wildcard = readonly string[];

/** Whether a text of a rule file is a pattern. Pure. */
export function isWildcard(text: string | undefined): boolean {
  return text?.includes("*") ?? false;
}

/** Cuts a pattern at its stars. Pure. */
export function wildcardOf(pattern: string): Wildcard {
  return Object.freeze(pattern.split("*"));
}

/** Returns the text before the first star. Pure. */
export function prefixOf(wildcard: Wildcard): string {
  return wildcard[0] ?? "";
}

/** Returns the text after the last star. Pure. */
export function suffixOf(wildcard: Wildcard): string {
  return wildcard[wildcard.length - 1] ?? "";
}

/** Whether a pattern matches a text. Takes time in proportion to the text. Pure. */
export function isMatch(wildcard: Wildcard, text: string): boolean {
  const first = prefixOf(wildcard);
  const last = suffixOf(wildcard);
  if (text.length < first.length + last.length) return false;
  return text.startsWith(first) && text.endsWith(last) && hasMiddles(wildcard, text);
}

/**
 * Whether a text contains the parts between the stars, in order. Its prefix and suffix must match.
 * Pure.
 */
export function hasMiddles(wildcard: Wildcard, text: string): boolean {
  let from = prefixOf(wildcard).length;
  const end = text.length - suffixOf(wildcard).length;
  for (let index = 1; index < wildcard.length - 1; index++) {
    const part = wildcard[index] as string;
    const found = text.indexOf(part, from);
    if (found < 0 || found + part.length > end) return false;
    from = found + part.length;
  }
  return from <= end;
}
