/**
 * The fields of rule files: their names, types and meanings. The parser reads by this table, and
 * the JSON Schema for editors is generated from it.
 */
import { HTTP_SHAPES } from "./http/field-table.ts";
import type { Shape } from "./shape.ts";

export const FILE_SHAPE = {
  what: "a rule file",
  fields: {
    domain: { type: "text", about: "The domain of the rules; each request names its domain" },
    http: { type: "http", about: "Which descriptors an HTTP request has; for /auth" },
    jwt_providers: { type: "jwt_providers", about: "Whose tokens are believed, for jwt_claims" },
    descriptors: { type: "descriptors", about: "The first level of descriptors" },
  },
} as const satisfies Shape;

export const DESCRIPTOR_SHAPE = {
  what: "a descriptor",
  fields: {
    key: { type: "text", about: "The key of a request's entry; may contain *" },
    value: {
      type: "text",
      about: "The entry's value; may contain *. Default, or if empty: any value",
    },
    rate_limit: { type: "rate_limit", about: "The limit. Default: none at this level" },
    descriptors: { type: "descriptors", about: "The next level, for the request's next entry" },
    shadow_mode: { type: "boolean", about: "Decide and count, but enforce nothing" },
    quota_mode: {
      type: "boolean",
      about: "One of several quotas: a request passes while any of them has room",
    },
    detailed_metric: {
      type: "boolean",
      about: "The metric's name contains all values of a request",
    },
    value_to_metric: { type: "boolean", about: "The metric's name contains this level's value" },
    share_threshold: { type: "boolean", about: "All values of the pattern share one budget" },
    metadata: { type: "anything", about: "A map that responses contain as dynamic metadata" },
  },
} as const satisfies Shape;

export const RATE_LIMIT_SHAPE = {
  what: "rate_limit",
  fields: {
    unit: { type: "unit", about: "The length of the window" },
    requests_per_unit: { type: "units", about: "Units that come back in one unit of time" },
    unlimited: { type: "boolean", about: "Admit everything and count nothing" },
    name: {
      type: "text",
      about: "A label that responses contain; other limits can replace this one by it",
    },
    replaces: {
      type: "replaces",
      about: "The limits that don't apply to requests that match this one",
    },
    kind: { type: "kind", about: "How units are counted. Default: fixed window" },
    period: { type: "duration", about: "The length of the window instead of unit, such as 90s" },
    start: { type: "start", about: "When windows begin: an instant, or per key" },
    capacity: { type: "units", about: "The most units that a key can hold. Default: the rate" },
    ttl: { type: "duration", about: "How long a lease of a concurrency limit lasts" },
    max_reserved: { type: "units", about: "The most units that can be taken ahead of time" },
    shards: { type: "shards", about: "The number of budgets that each key is spread over" },
    share: { type: "duration", about: "How long units are lent to a process of the service" },
    penalty: { type: "penalty", about: "When keys are blocked that are refused again and again" },
    jitter: { type: "duration", about: "The most random time added to a wait" },
    when_unavailable: { type: "policy", about: "The decision while the store gives no answer" },
    mode: { type: "mode", about: "How the limit is enforced. Default: enforce" },
    also: { type: "also", about: "parent: the nearest limit above applies to the request too" },
  },
} as const satisfies Shape;

export const PENALTY_SHAPE = {
  what: "penalty",
  fields: {
    after: { type: "refusals", about: "Which refusal blocks a key" },
    within: { type: "duration", about: "The time in which refusals count, from the first one on" },
    block: { type: "duration", about: "The length of the first block; each further one doubles" },
    most: { type: "duration", about: "The length of the longest block" },
  },
} as const satisfies Shape;

export const REPLACES_SHAPE = {
  what: "an item of replaces",
  fields: { name: { type: "text", about: "The name of the limit that is replaced" } },
} as const satisfies Shape;

/** All shapes. Messages use them to say where a misplaced field belongs. */
export const SHAPES: readonly Shape[] = [
  FILE_SHAPE,
  DESCRIPTOR_SHAPE,
  RATE_LIMIT_SHAPE,
  PENALTY_SHAPE,
  REPLACES_SHAPE,
  ...HTTP_SHAPES,
];

/** The deepest nesting of descriptors. */
export const MOST_LEVELS = 16;

/** The values of `when_unavailable`. */
export const POLICIES = ["closed", "open", "local"] as const;

/** The values of `mode`, from the strictest to the weakest. */
export const MODES = ["enforce", "shadow", "off"] as const;

/** The values of `also`. */
export const ALSO = ["parent"] as const;
