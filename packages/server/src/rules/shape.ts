/** How the tables of fields describe the maps of a rule file. */

/** The types of a field's value. */
export type FieldType =
  | "text"
  | "boolean"
  | "units"
  | "shards"
  | "unit"
  | "kind"
  | "duration"
  | "start"
  | "policy"
  | "mode"
  | "also"
  | "anything"
  | "descriptors"
  | "rate_limit"
  | "penalty"
  | "refusals"
  | "replaces"
  | "texts"
  | "path"
  | "segments"
  | "v4_bits"
  | "v6_bits"
  | "http"
  | "match"
  | "actions"
  | "headers"
  | "string_match"
  | "safe_regex"
  | "classes"
  | "jwt_providers"
  | "jwks_uri"
  | "algorithms"
  | "skew";

export type FieldSpec = {
  readonly type: FieldType;
  /** A description of one line, shown by editors. */
  readonly about: string;
};

/** A kind of map in a rule file: its name in messages, and its fields. */
export type Shape = {
  readonly what: string;
  readonly fields: { readonly [name: string]: FieldSpec };
};
