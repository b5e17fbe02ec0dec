/**
 * YAML's merge key: `<<: *base` adds the fields of another map, or of several, that a map has not itself.
 * Newer YAML has dropped it; envoyproxy/ratelimit reads it.
 */
import { display } from "spillway/support";
import { isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap } from "yaml";
import { describeNode } from "./describe-node.ts";
import type { Source } from "./source.ts";

/** A field of a map, as its file has it. */
export type MapPair = Pair<Node, Node | null>;

/** Maps that merge others that merge others. */
const MOST_MERGED = 16;

/** How maps are merged. */
type Way = {
  /** Whether envoyproxy/ratelimit merges maps inside these maps as well: in fields that it knows. Default: no. */
  readonly isDeep?: boolean;
  readonly depth?: number;
};

/**
 * The fields of a map, in order, with those that are merged into it. Complains of what readers of YAML take for
 * different things.
 */
export function pairsOf(source: Source, map: YAMLMap, way: Way = {}): readonly MapPair[] {
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

/** All that is merged, of several maps those of the first before those of the next. */
function mergedPairs(
  source: Source,
  { key, value }: MapPair,
  { isDeep = false, depth = 0 }: Way,
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

/** Undefined where it is no text, of which its reader complains. */
function nameIn(source: Source, { key }: MapPair): string | undefined {
  const node = source.resolve(key);
  return isScalar(node) && node.value !== null ? (node.source ?? String(node.value)) : undefined;
}

function complainOfFurther(source: Source, own: readonly MapPair[], merging: MapPair): void {
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

/** YAML has the map's own field win; envoyproxy/ratelimit has the later one win. */
function complainOfOrder(source: Source, merging: MapPair, winner: MapPair): void {
  source.complain(merging.key, {
    code: "duplicate-field",
    found: `a second ${display(nameIn(source, winner) ?? "")}, merged by <<`,
    expected: `<< above the one in line ${source.lineOf(winner.key)}, which then overrides it`,
  });
}

/** YAML has one map in place of the other; envoyproxy/ratelimit adds what the other has alone. */
function complainOfPart(source: Source, winner: MapPair, loser: MapPair): void {
  const names = namesOf(source, winner);
  const missing = [...namesOf(source, loser)].find((name) => !names.has(name));
  if (names.size === 0 || missing === undefined) return;
  source.complain(winner.key, {
    code: "duplicate-field",
    found: `a second ${display(nameIn(source, winner) ?? "")}, without the ${display(missing)} of the one that << merges`,
    expected: `all that the one in line ${source.lineOf(loser.key)} has, or << inside it`,
  });
}

function namesOf(source: Source, { value }: MapPair): ReadonlySet<string> {
  const map = source.resolve(value);
  if (!isMap(map)) return new Set();
  const names = pairsOf(source, map).map((pair) => nameIn(source, pair));
  return new Set(names.filter((name) => name !== undefined));
}
