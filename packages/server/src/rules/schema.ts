/** Builds the JSON Schema of rule files, for editors, from the parser's table of fields. */
import { MOST_UNITS } from "spillway/support";
import {
  ALSO,
  DESCRIPTOR_SHAPE,
  FILE_SHAPE,
  MODES,
  PENALTY_SHAPE,
  POLICIES,
  RATE_LIMIT_SHAPE,
  REPLACES_SHAPE,
} from "./field-table.ts";
import {
  ACTION_SHAPES,
  ACTIONS_SHAPE,
  CLASS_SHAPE,
  HEADER_SHAPE,
  ITEM_SHAPE,
  MATCH_SHAPE,
  PROVIDER_SHAPE,
  SAFE_REGEX_SHAPE,
  STRING_MATCH_SHAPE,
} from "./http/field-table.ts";
import { ALGORITHMS } from "./http/read-providers.ts";
import { KINDS } from "./read-pace.ts";
import { START_PATTERN } from "./read-start.ts";
import type { FieldType, Shape } from "./shape.ts";
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
  penalty: { anyOf: [{ $ref: "#/$defs/penalty" }, { type: "null" }] },
  refusals: { type: "integer", minimum: 1, maximum: 1_000_000 },
  replaces: { type: ["array", "null"], items: { $ref: "#/$defs/replaces" } },
  texts: { type: ["array", "null"], items: { type: TEXT, minLength: 1 }, minItems: 1 },
  path: { type: ["string", "null"], pattern: "^/[^*?#;\\\\]*$" },
  segments: { type: ["integer", "null"], minimum: 1, maximum: 16 },
  v4_bits: { type: ["integer", "null"], minimum: 0, maximum: 32 },
  v6_bits: { type: ["integer", "null"], minimum: 32, maximum: 64 },
  http: { type: ["array", "null"], items: { $ref: "#/$defs/http_item" } },
  match: { anyOf: [{ $ref: "#/$defs/match" }, { type: "null" }] },
  actions: {
    type: "array",
    items: { $ref: "#/$defs/action" },
    minItems: 1,
    maxItems: 64,
  },
  headers: { type: "array", items: { $ref: "#/$defs/header" }, minItems: 1 },
  string_match: { anyOf: [{ $ref: "#/$defs/string_match" }, { type: "null" }] },
  safe_regex: { anyOf: [{ $ref: "#/$defs/safe_regex" }, { type: "null" }] },
  classes: { type: "array", items: { $ref: "#/$defs/class" }, minItems: 1 },
  jwt_providers: { type: ["array", "null"], items: { $ref: "#/$defs/jwt_provider" } },
  jwks_uri: {
    type: ["string", "null"],
    pattern: "^(?:https://|http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\])(?:[:/]|$))",
  },
  algorithms: { type: ["array", "null"], items: { enum: ALGORITHMS }, minItems: 1 },
  skew: { type: ["integer", "null"], minimum: 0, maximum: 300 },
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
      penalty: objectOf(PENALTY_SHAPE, Object.keys(PENALTY_SHAPE.fields)),
      replaces: objectOf(REPLACES_SHAPE, ["name"]),
      ...httpDefs(),
    },
  };
}

function objectOf({ fields }: Shape, required: readonly string[]): Schema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { type, about }]) => [
      name,
      {
        description: about,
        ...(required.includes(name) && type === "text" ? NOT_EMPTY : TYPES[type]),
      },
    ]),
  );
  return { type: "object", additionalProperties: false, required, properties };
}

/** The fields that an action must have. */
const NEEDED: readonly string[] = [
  "header_name",
  "query_parameter_name",
  "cookie_name",
  "descriptor_value",
  "headers",
  "classes",
  "claim_path",
];

function httpDefs(): { readonly [name: string]: Schema } {
  const shapes = Object.entries(ACTION_SHAPES);
  const properties = Object.fromEntries(
    shapes.map(([name]) => [name, { $ref: `#/$defs/action_${name}` }]),
  );
  const actions = shapes.map(([name, shape]) => [
    `action_${name}`,
    objectOf(shape, Object.keys(shape.fields).filter(isNeeded)),
  ]);
  return {
    http_item: objectOf(ITEM_SHAPE, ["actions"]),
    match: objectOf(MATCH_SHAPE, []),
    action: { ...objectOf(ACTIONS_SHAPE, []), properties, minProperties: 1, maxProperties: 1 },
    ...Object.fromEntries(actions),
    header: objectOf(HEADER_SHAPE, ["name"]),
    string_match: objectOf(STRING_MATCH_SHAPE, []),
    safe_regex: objectOf(SAFE_REGEX_SHAPE, ["regex"]),
    class: objectOf(CLASS_SHAPE, ["name"]),
    jwt_provider: objectOf(PROVIDER_SHAPE, ["name", "issuer"]),
  };
}

function isNeeded(field: string): boolean {
  return NEEDED.includes(field);
}

/** A required text. */
const NOT_EMPTY: Schema = { type: ["string", "integer", "boolean"], minLength: 1 };
