/**
 * YAML's merge key: `<<: *base` adds the fields of another map, or of several, that a map has not itself.
 * Newer YAML has dropped it; envoyproxy/ratelimit reads it.
 */
import { display } from "spillway/core";
import { isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap } from "yaml";
import { describeNode } from "./describe-node.ts";
import type { Source } from "./source.ts";

/** A field of a map, as its file has it. */
export type MapPair = Pair<Node, Node | null>;

/** Maps that merge others that merge others. */
const MOST_MERGED = 16;

/** The fields of a map, in order, with those that are merged into it. Complains of what readers take for different things. */
export function pairsOf(source: Source, map: YAMLMap, depth = 0): readonly MapPair[] {
  const own = source.items(map, map.items as readonly MapPair[]);
  const first = own.findIndex(({ key }) => isMerge(key));
  if (first < 0) return own;
  const merging = own[first] as MapPair;
  const rest = own.filter(({ key }) => !isMerge(key));
  complainOfFurther(source, own, merging);
  if (depth === MOST_MERGED) {
    const expected = `at most ${MOST_MERGED} maps that merge each other`;
    source.complain(merging.key, { code: "too-deep", found: "more maps", expected });
    return rest;
  }
  const before = new Map(own.slice(0, first).map((pair) => [nameIn(source, pair), pair.key]));
  const known = new Set(rest.map((pair) => nameIn(source, pair)));
  const merged: MapPair[] = [];
  for (const pair of mergedPairs(source, merging, depth)) {
    const name = nameIn(source, pair);
    const earlier = name === undefined ? undefined : before.get(name);
    if (earlier !== undefined) complainOfOrder(source, merging.key, { name, earlier });
    if (known.has(name) && name !== undefined) continue;
    known.add(name);
    merged.push(pair);
  }
  return [...merged, ...rest];
}

function isMerge(key: Node): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === "<<" && !key.tag;
}

/** All that is merged, of several maps those of the first before those of the next. */
function mergedPairs(source: Source, { key, value }: MapPair, depth: number): readonly MapPair[] {
  const node = source.resolve(value);
  const all = isSeq<Node>(node) ? source.items(node, node.items) : [node];
  return all.flatMap((one) => {
    const map = source.resolve(one);
    if (isMap(map)) return pairsOf(source, map, depth + 1);
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

type Conflict = { readonly name: string | undefined; readonly earlier: Node };

/** YAML has the map's own field win; envoyproxy/ratelimit has the later one win. */
function complainOfOrder(source: Source, merge: Node, { name = "", earlier }: Conflict): void {
  source.complain(merge, {
    code: "duplicate-field",
    found: `a second ${display(name)}, merged by <<`,
    expected: `<< above the one in line ${source.lineOf(earlier)}, which then overrides it`,
  });
}
