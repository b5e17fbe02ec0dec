/**
 * YAML's merge key: `<<: *base` adds the fields of one or several other maps that the map does not
 * have itself.
 *
 * Newer versions of YAML have dropped it; envoyproxy/ratelimit still reads it.
 */
import { display } from "spillway/support";
import { isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap } from "yaml";
import { describeNode } from "./describe-node.ts";
import type { RuleSource } from "./source.ts";

/** A field of a map, as its file has it. */
export type MapPair = Pair<Node, Node | null>;

/** The deepest chain of maps that merge others. */
const MOST_MERGED = 16;

/** Options of a merge. */
type MergeOptions = {
  /**
   * Whether envoyproxy/ratelimit also merges the maps inside, which it does in fields that it
   * knows. Default: no.
   */
  readonly isDeep?: boolean;
  readonly depth?: number;
};

/**
 * Returns the fields of a map in order, with merged ones. Reports fields that YAML readers
 * interpret differently.
 */
export function pairsOf(
  source: RuleSource,
  map: YAMLMap,
  way: MergeOptions = {},
): readonly MapPair[] {
  const own = source.items(map, map.items as readonly MapPair[]);
  const first = own.findIndex(({ key }) => isMerge(key));
  if (first < 0) return own;
  const merging = own[first] as MapPair;
  complainOfFurther(source, own, merging);
  const rest = own.filter(({ key }) => !isMerge(key));
  const winners = new Map(rest.map((pair) => [nameIn(source, pair), pair]));
  const above = new Set(own.slice(0, first));
  const merged: MapPair[] = [];
  for (const pair of mergedPairs(source, merging, way)) {
    const name = nameIn(source, pair);
    const winner = name === undefined ? undefined : winners.get(name);
    if (winner === undefined) {
      winners.set(name, pair);
      merged.push(pair);
    } else if (above.has(winner)) complainOfOrder(source, merging, winner);
    else if (way.isDeep === true) complainOfPart(source, winner, pair);
  }
  return [...merged, ...rest];
}

function isMerge(key: Node): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === "<<" && !key.tag;
}

/** Returns all merged fields. The fields of earlier maps come first. */
function mergedPairs(
  source: RuleSource,
  { key, value }: MapPair,
  { isDeep = false, depth = 0 }: MergeOptions,
): readonly MapPair[] {
  if (depth === MOST_MERGED) {
    const expected = `at most ${MOST_MERGED} maps that merge each other`;
    source.complain(key, { code: "too-deep", found: "more maps", expected });
    return [];
  }
  const node = source.resolve(value);
  const all = isSeq<Node>(node) ? source.items(node, node.items) : [node];
  return all.flatMap((one) => {
    const map = source.resolve(one);
    if (isMap(map)) return pairsOf(source, map, { isDeep, depth: depth + 1 });
    const expected = "a map, or a list of maps, after <<";
    source.complain(one ?? key, { code: "wrong-type", found: describeNode(map), expected });
    return [];
  });
}

/** Undefined if the name is not text; its reader reports that. */
function nameIn(source: RuleSource, { key }: MapPair): string | undefined {
  const node = source.resolve(key);
  return isScalar(node) && node.value !== null ? (node.source ?? String(node.value)) : undefined;
}

function complainOfFurther(source: RuleSource, own: readonly MapPair[], merging: MapPair): void {
  for (const { key } of own) {
    if (key === merging.key || !isMerge(key)) continue;
    source.complain(key, {
      code: "duplicate-field",
      found: "a second <<",
      expected: `only the one in line ${source.lineOf(merging.key)}`,
      hint: "One << takes a list of maps",
    });
  }
}

/** In YAML the map's own field wins; in envoyproxy/ratelimit the later one wins. */
function complainOfOrder(source: RuleSource, merging: MapPair, winner: MapPair): void {
  source.complain(merging.key, {
    code: "duplicate-field",
    found: `a second ${display(nameIn(source, winner) ?? "")}, merged by <<`,
    expected: `<< above the one in line ${source.lineOf(winner.key)}, which then overrides it`,
  });
}

/**
 * In YAML one map replaces the other; envoyproxy/ratelimit adds the fields that only the other has.
 */
function complainOfPart(source: RuleSource, winner: MapPair, loser: MapPair): void {
  const names = namesOf(source, winner);
  const missing = [...namesOf(source, loser)].find((name) => !names.has(name));
  if (names.size === 0 || missing === undefined) return;
  source.complain(winner.key, {
    code: "duplicate-field",
    found:
      `a second ${display(nameIn(source, winner) ?? "")}, without the ${display(missing)} ` +
      "of the one that << merges",
    expected: `all that the one in line ${source.lineOf(loser.key)} has, or << inside it`,
  });
}

function namesOf(source: RuleSource, { value }: MapPair): ReadonlySet<string> {
  const map = source.resolve(value);
  if (!isMap(map)) return new Set();
  const names = pairsOf(source, map).map((pair) => nameIn(source, pair));
  return new Set(names.filter((name) => name !== undefined));
}
