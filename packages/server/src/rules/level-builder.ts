/** One level of descriptors while its file, or several files, are read. */
import { Patterns } from "./patterns.ts";
import { partName } from "./rule-name.ts";
import type { Branch, KeyPattern, Level, PathPart, RuleNode } from "./rules.ts";
import { isWildcard, wildcardOf } from "./wildcard.ts";

/** Where a descriptor stands. */
export type Place = { readonly file: string; readonly line: number };

type DraftBranch = {
  readonly values: Map<string, RuleNode>;
  patterns: Patterns<RuleNode> | undefined;
  any: RuleNode | undefined;
};

/** What a descriptor has that no others are in: most are so, and share it. */
export const NO_LEVEL: Level = Object.freeze({ branches: new Map(), keyPatterns: [] });

export class LevelBuilder {
  readonly #branches = new Map<string, DraftBranch>();
  readonly #keyPatterns: KeyPattern[] = [];
  /** The place of each descriptor, by its name. */
  #places: Map<string, Place> | undefined;
  /** The same by what envoyproxy/ratelimit makes of key and value, which is one text. */
  #composites: Map<string, Place> | undefined;
  #order = 0;

  /** The level; what is added later is in it as well. */
  readonly level: Level = { branches: this.#branches, keyPatterns: this.#keyPatterns };

  /** Where a descriptor with this key and value stands already; undefined the first time. */
  claim(part: PathPart, place: Place): Place | undefined {
    this.#places ??= new Map();
    return claimed(this.#places, partName(part), place);
  }

  /** Where a descriptor stands that envoyproxy/ratelimit can't tell from this one. */
  claimComposite({ key, value }: PathPart, place: Place): Place | undefined {
    this.#composites ??= new Map();
    return claimed(this.#composites, value === undefined ? key : `${key}_${value}`, place);
  }

  /** A descriptor above, with the same key, that matches whatever this one would. */
  shadowOf({ key, value }: PathPart): RuleNode | undefined {
    const patterns = this.#branches.get(key)?.patterns;
    if (value === undefined) return patterns?.covering(["", ""])?.to;
    return isWildcard(value) ? patterns?.covering(wildcardOf(value))?.to : undefined;
  }

  /** Adds a descriptor. Where its level has it matters for patterns. Default: after all others. */
  add(node: RuleNode, order = this.#order++): void {
    const { key, value } = node.part;
    if (isWildcard(key)) {
      const expected = isWildcard(value) ? wildcardOf(value ?? "") : value;
      this.#keyPatterns.push({ key: wildcardOf(key), value: expected, order, to: node });
      return;
    }
    const branch = this.#branchOf(key);
    if (value === undefined) branch.any = node;
    else if (isWildcard(value)) {
      branch.patterns ??= new Patterns();
      branch.patterns.add({ wildcard: wildcardOf(value), order, to: node });
    } else branch.values.set(value, node);
  }

  #branchOf(key: string): DraftBranch & Branch {
    const found = this.#branches.get(key);
    if (found !== undefined) return found;
    const branch: DraftBranch = { values: new Map(), patterns: undefined, any: undefined };
    this.#branches.set(key, branch);
    return branch;
  }
}

function claimed(places: Map<string, Place>, id: string, place: Place): Place | undefined {
  const first = places.get(id);
  if (first === undefined) places.set(id, place);
  return first;
}
