/** Builds the JSON Schema of rule files, for editors, from the parser's table of fields. */
import { MOST_UNITS } from "spillway/support";
import {
  ALSO,
  DESCRIPTOR_SHAPE,
  FILE_SHAPE,
  type FieldType,
  MODES,
  POLICIES,
  RATE_LIMIT_SHAPE,
  REPLACES_SHAPE,
  type Shape,
} from "./field-table.ts";
import { KINDS } from "./read-pace.ts";
import { START_PATTERN } from "./read-start.ts";
import { UNITS } from "./units.ts";

type Schema = { readonly [keyword: string]: unknown };

/** Whole numbers and booleans are accepted as texts. Null means that the field is missing. */
const TEXT = ["string", "integer", "boolean", "null"];

const TYPES: { readonly [T in FieldType]: Schema } = {
  text: { type: TEXT },
  boolean: { type: ["boolean", "null"] },
  units: { type: ["integer", "null"], minimum: 0, maximum: MOST_UNITS },
  shards: { type: ["integer", "null"], minimum: 1, maximum: 1000 },
  unit: { type: ["string", "null"], pattern: `^(?:${[...UNITS.keys()].map(anyCase).join("|")})$` },
  kind: { enum: [...KINDS, null] },
  duration: { type: ["string", "null"], pattern: "^\\d+(?:ms|s|m|h|d)$" },
  start: { type: ["string", "null"], pattern: `^(?:${START_PATTERN})$` },
  policy: { enum: [...POLICIES, null] },
  mode: { enum: [...MODES, null] },
  also: { enum: [...ALSO, null] },
  anything: { type: ["object", "null"] },
  descriptors: { type: ["array", "null"], items: { $ref: "#/$defs/descriptor" } },
  rate_limit: { anyOf: [{ $ref: "#/$defs/rate_limit" }, { type: "null" }] },
  replaces: { type: ["array", "null"], items: { $ref: "#/$defs/replaces" } },
};

/** Units may be written in any case. */
function anyCase(word: string): string {
  return [...word].map((letter) => `[${letter}${letter.toUpperCase()}]`).join("");
}

/** Builds the schema. Pure. */
export function ruleFileSchema(): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Rules of spillway serve",
    ...objectOf(FILE_SHAPE, ["domain"]),
    $defs: {
      descriptor: objectOf(DESCRIPTOR_SHAPE, ["key"]),
      rate_limit: objectOf(RATE_LIMIT_SHAPE, []),
      replaces: objectOf(REPLACES_SHAPE, ["name"]),
    },
  };
}

function objectOf({ fields }: Shape, required: readonly string[]): Schema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { type, about }]) => [
      name,
      { description: about, ...(required.includes(name) ? NOT_EMPTY : TYPES[type]) },
    ]),
  );
  return { type: "object", additionalProperties: false, required, properties };
}

/** A required text. */
const NOT_EMPTY: Schema = { type: ["string", "integer", "boolean"], minLength: 1 };
