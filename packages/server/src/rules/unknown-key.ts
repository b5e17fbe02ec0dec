/** Keys of descriptors that no rule has: a typing mistake in one of two files, mostly. */
import { type Entry, step } from "./match.ts";
import type { Level, Rules } from "./rules.ts";
import { isMatch } from "./wildcard.ts";

/** How many entries of a descriptor the rules follow, and the key that none of them has there. */
export type UnknownKey = { readonly depth: number; readonly key: string };

/** The first key that no rule has where the entry stands; undefined where it is a value, if anything. Pure. */
export function unknownKey(
  { domains }: Pick<Rules, "domains">,
  domain: string,
  entries: readonly Entry[],
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
