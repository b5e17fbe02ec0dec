/** Finds keys of descriptors that no rule has, mostly typing mistakes. */
import { type DescriptorEntry, step } from "./match.ts";
import type { Level, Rules } from "./rules.ts";
import { isMatch } from "./wildcard.ts";

/** The first key that no rule has, and the number of entries matched before it. */
export type UnknownKey = { readonly depth: number; readonly key: string };

/**
 * Returns the first key that no rule has at its position; undefined if only a value, or nothing, is
 * unknown. Pure.
 */
export function unknownKey(
  { domains }: Pick<Rules, "domains">,
  domain: string,
  entries: readonly DescriptorEntry[],
): UnknownKey | undefined {
  let level = domains.get(domain);
  for (const [depth, entry] of entries.entries()) {
    if (level === undefined) return undefined;
    const node = step(level, entry);
    if (node === undefined) return hasKey(level, entry.key) ? undefined : { depth, key: entry.key };
    level = node.level;
  }
  return undefined;
}

function hasKey({ branches, keyPatterns }: Level, key: string): boolean {
  return branches.has(key) || keyPatterns.some((pattern) => isMatch(pattern.key, key));
}
