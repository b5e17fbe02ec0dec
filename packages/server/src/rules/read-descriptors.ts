/**
 * Reads a list of descriptors, and the lists inside them, into the tree that requests are matched
 * against.
 */
import { printable } from "spillway/support";
import type { Node } from "yaml";
import { DESCRIPTOR_SHAPE, MOST_LEVELS } from "./field-table.ts";
import { fieldValue, type RuleFields, readFields } from "./fields.ts";
import { LevelBuilder, NO_LEVEL, type SourceLocation } from "./level-builder.ts";
import { opensOf } from "./match.ts";
import { readMetadata } from "./read-metadata.ts";
import { readRateLimit } from "./read-rate-limit.ts";
import { partName } from "./rule-name.ts";
import type { Level, Parent, PathPart, Rule } from "./rules.ts";
import { isEmpty, readBoolean, readList, readText } from "./scalars.ts";
import type { RuleSource } from "./source.ts";
import { isWildcard } from "./wildcard.ts";

/** The position of a list of descriptors. `name` is the prefix of all limit names in it. */
export type DescriptorPosition = {
  readonly domain: string;
  readonly path: readonly PathPart[];
  readonly name: string;
  /** The number of values that the path leaves open. */
  readonly opens: number;
  /** For each level, whether its value is part of the metric's name. */
  readonly valuesInMetric: readonly boolean[];
  /** The nearest limit above. */
  readonly above: Parent | undefined;
};

/** Reads the `descriptors` of a file or of a descriptor into a level. */
export function readDescriptors(
  source: RuleSource,
  fields: RuleFields,
  at: { readonly position: DescriptorPosition; readonly builder: LevelBuilder },
): void {
  if (at.position.path.length < MOST_LEVELS) {
    for (const item of readList(source, fields, "descriptors")) readDescriptor(source, item, at);
  } else if (fieldValue(fields, "descriptors") !== undefined) {
    const found = `${MOST_LEVELS + 1} levels of descriptors`;
    const place = fields.get("descriptors")?.name ?? null;
    source.complain(place, { code: "too-deep", found, expected: `at most ${MOST_LEVELS}` });
  }
}

type ReadLevelContext = { readonly position: DescriptorPosition; readonly builder: LevelBuilder };

function readDescriptor(
  source: RuleSource,
  item: Node,
  { position, builder }: ReadLevelContext,
): void {
  const fields = readFields(source, item, DESCRIPTOR_SHAPE);
  if (fields === undefined) return;
  const part = readPart(source, fields, item);
  const { key, value = "" } = part;
  if (!source.admitsName(item, position.name.length + key.length + value.length)) return;
  const here: DescriptorPosition = {
    ...position,
    path: [...position.path, part],
    name: `${position.name}/${partName(part)}`,
    opens: position.opens + opensOf(part),
    valuesInMetric: [...position.valuesInMetric, readBoolean(source, fields, "value_to_metric")],
  };
  const rule = readRule(source, fields, { position: here, item });
  const above = rule === undefined ? position.above : { rule, opens: here.opens };
  const level = readLevel(source, fields, { ...here, above });
  if (key === "" || !isFirst(source, item, { part, builder })) return;
  builder.add(Object.freeze({ part, rule, level }));
}

/** Reads the descriptors inside a descriptor. */
function readLevel(source: RuleSource, fields: RuleFields, position: DescriptorPosition): Level {
  if (!fields.has("descriptors")) return NO_LEVEL;
  const builder = new LevelBuilder();
  readDescriptors(source, fields, { position, builder });
  return builder.level;
}

function readPart(source: RuleSource, fields: RuleFields, item: Node): PathPart {
  const key = readText(source, fields, "key") ?? "";
  const value = readText(source, fields, "value") || undefined;
  if (isEmpty(fields, "key")) {
    const place = fields.get("key")?.name ?? item;
    source.complain(place, { code: "empty-key", found: "no key", expected: "one, such as user" });
  }
  const shares = readBoolean(source, fields, "share_threshold");
  if (shares && !isWildcard(value)) complainOfSharing(source, fields);
  return Object.freeze({ key, value, shares });
}

function complainOfSharing(source: RuleSource, fields: RuleFields): void {
  source.complain(fields.get("share_threshold")?.name ?? null, {
    code: "nothing-to-share",
    found: "share_threshold",
    expected: "a value with * beside it",
    hint: "It makes all values of a pattern share one budget",
  });
}

function readRule(
  source: RuleSource,
  fields: RuleFields,
  { position, item }: { readonly position: DescriptorPosition; readonly item: Node },
): Rule | undefined {
  const shadow = readBoolean(source, fields, "shadow_mode");
  const quota = readBoolean(source, fields, "quota_mode");
  const detailed = readBoolean(source, fields, "detailed_metric");
  const metadata = readMetadata(source, fields);
  const field = fields.get("rate_limit");
  if (field === undefined || fieldValue(fields, "rate_limit") === undefined) return undefined;
  const { name, domain, path, above, valuesInMetric } = position;
  const read = readRateLimit(source, field, { ruleName: name, above });
  if (read === undefined) return undefined;
  const { isShadow, ...limited } = read;
  return Object.freeze({
    name,
    domain,
    path: Object.freeze(path),
    ...limited,
    shadow: shadow || isShadow,
    quota,
    metadata,
    metric: Object.freeze({ detailed, levels: Object.freeze(valuesInMetric) }),
    place: Object.freeze(source.placeOf(item)),
  });
}

type Claim = { readonly part: PathPart; readonly builder: LevelBuilder };

/** Whether a key and value is new on this level; reports a duplicate. */
function isFirst(source: RuleSource, item: Node, { part, builder }: Claim): boolean {
  const place = source.placeOf(item);
  const first = builder.claim(part, place);
  if (first === undefined) {
    warnOfTwins(source, item, { part, builder });
    return true;
  }
  source.complain(item, {
    code: "duplicate-descriptor",
    found: `a second descriptor for ${printable(partName(part))}`,
    expected: `only the one in ${shown(first, place)}`,
  });
  return false;
}

/**
 * Warns of descriptors that are never reached, and of those that envoyproxy/ratelimit confuses with
 * others.
 */
function warnOfTwins(source: RuleSource, item: Node, { part, builder }: Claim): void {
  const place = source.placeOf(item);
  const name = printable(partName(part));
  const twin = builder.claimComposite(part, place);
  if (twin !== undefined) {
    source.warn(item, {
      code: "alike-elsewhere",
      found: `${name}, which reads like the descriptor in ${shown(twin, place)}`,
      expected: "names that envoyproxy/ratelimit can tell apart; this service keeps them apart",
    });
  }
  const shadow = builder.shadowOf(part);
  if (shadow === undefined) return;
  source.warn(item, {
    code: "never-reached",
    found: `${name}, after ${printable(partName(shadow.part))}, which is for all its values`,
    expected: "the narrower pattern first: the first match is used",
  });
}

function shown(place: SourceLocation, from: SourceLocation): string {
  return place.file === from.file ? `line ${place.line}` : `${printable(place.file)}:${place.line}`;
}
