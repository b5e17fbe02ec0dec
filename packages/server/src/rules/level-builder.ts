/** Builds one level of descriptors while one or several files are read. */
import { Patterns } from "./patterns.ts";
import { partName } from "./rule-name.ts";
import type { Branch, KeyPattern, Level, PathPart, RuleNode } from "./rules.ts";
import { isWildcard, wildcardOf } from "./wildcard.ts";

/** The place of a descriptor in its file. */
export type SourceLocation = { readonly file: string; readonly line: number };

type DraftBranch = {
  readonly values: Map<string, RuleNode>;
  patterns: Patterns<RuleNode> | undefined;
  any: RuleNode | undefined;
};

/** The empty level, shared by all descriptors that contain no others. */
export const NO_LEVEL: Level = Object.freeze({ branches: new Map(), keyPatterns: [] });

export class LevelBuilder {
  readonly #branches = new Map<string, DraftBranch>();
  readonly #keyPatterns: KeyPattern[] = [];
  /** The place of each descriptor, by its name. */
  #places: Map<string, SourceLocation> | undefined;
  /**
   * The place of each descriptor, by the single text that envoyproxy/ratelimit makes of its key and
   * value.
   */
  #composites: Map<string, SourceLocation> | undefined;
  #order = 0;

  /** The level. It includes descriptors that are added later. */
  readonly level: Level = { branches: this.#branches, keyPatterns: this.#keyPatterns };

  /**
   * Records a descriptor. Returns the place of an earlier one with the same key and value, else
   * undefined.
   */
  claim(part: PathPart, place: SourceLocation): SourceLocation | undefined {
    this.#places ??= new Map();
    return claimed(this.#places, partName(part), place);
  }

  /**
   * Records a descriptor. Returns the place of an earlier one that envoyproxy/ratelimit can't
   * distinguish from it.
   */
  claimComposite({ key, value }: PathPart, place: SourceLocation): SourceLocation | undefined {
    this.#composites ??= new Map();
    return claimed(this.#composites, value === undefined ? key : `${key}_${value}`, place);
  }

  /** Returns an earlier descriptor with the same key that matches everything this one would. */
  shadowOf({ key, value }: PathPart): RuleNode | undefined {
    const patterns = this.#branches.get(key)?.patterns;
    if (value === undefined) return patterns?.covering(["", ""])?.to;
    return isWildcard(value) ? patterns?.covering(wildcardOf(value))?.to : undefined;
  }

  /** Adds a descriptor. `order` decides between patterns. Default: after all others. */
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

function claimed(
  places: Map<string, SourceLocation>,
  id: string,
  place: SourceLocation,
): SourceLocation | undefined {
  const first = places.get(id);
  if (first === undefined) places.set(id, place);
  return first;
}
