/** Reads a descriptor's `metadata`: any YAML map, converted to JSON values. */
import { isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from "yaml";
import { describeNode } from "./describe-node.ts";
import { fieldValue, type RuleFields } from "./fields.ts";
import { pairsOf } from "./merge-key.ts";
import { booleanOf, isAmbiguous, numberOf } from "./plain-scalars.ts";
import type { MetadataValue, RuleMetadata } from "./rules.ts";
import type { RuleSource } from "./source.ts";

/** The deepest nesting of maps and lists. */
const MOST_NESTED = 32;

/** Returns the metadata; undefined if it is missing, empty, or not a map, which is reported. */
export function readMetadata(source: RuleSource, fields: RuleFields): RuleMetadata | undefined {
  const node = fieldValue(fields, "metadata");
  if (node === undefined) return undefined;
  if (isMap(node)) {
    const metadata = mapOf(source, node);
    return Object.keys(metadata).length === 0 ? undefined : metadata;
  }
  const expected = "a map as metadata";
  source.complain(node, { code: "wrong-type", found: describeNode(node), expected });
  return undefined;
}

function mapOf(source: RuleSource, map: YAMLMap, depth = 1): RuleMetadata {
  const entries = pairsOf(source, map).map(
    ({ key, value }) => [nameOf(source, key), metadataValue(source, value, depth)] as const,
  );
  return Object.freeze(Object.fromEntries(entries));
}

/** Numbers and booleans are names in the notation of the file. */
function nameOf(source: RuleSource, node: Node): string {
  const key = source.resolve(node);
  if (isScalar(key) && key.value !== null) {
    return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
  }
  const expected = "the name of a field, which is text";
  source.complain(node, { code: "bad-field-name", found: describeNode(key), expected });
  return "";
}

function metadataValue(source: RuleSource, written: Node | null, depth: number): MetadataValue {
  const node = source.resolve(written);
  if (isScalar(node)) return scalarOf(source, node);
  if (node === null) return null;
  if (depth > MOST_NESTED) {
    const expected = `at most ${MOST_NESTED} levels of metadata`;
    source.complain(node, { code: "too-deep", found: "more levels than can be read", expected });
    return null;
  }
  if (isMap(node)) return mapOf(source, node, depth + 1);
  if (!isSeq<Node>(node)) return null;
  return Object.freeze(
    source.items(node, node.items).map((item) => metadataValue(source, item, depth + 1)),
  );
}

/** Returns a value that protobuf's Struct and JSON can carry. */
function scalarOf(source: RuleSource, node: Scalar): MetadataValue {
  if (isAmbiguous(node)) {
    const expected =
      "a number without a leading 0, which some parsers read as octal, or a text in quotes";
    source.complain(node, { code: "wrong-type", found: describeNode(node), expected });
    return null;
  }
  const value = booleanOf(node) ?? numberOf(node) ?? node.value;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const expected = "a text, a number, true, false or nothing in metadata";
  source.complain(node, { code: "wrong-type", found: describeNode(node), expected });
  return null;
}
