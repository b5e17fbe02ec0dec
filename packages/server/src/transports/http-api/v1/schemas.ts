/** The JSON of `/v1`, as JSON Schema: what is checked is what `/openapi.json` shows. */
import { LONGEST, MOST_UNITS } from "spillway/core";
import { MOST_DESCRIPTORS } from "../../../envoy/index.ts";
import { LEASE_PATTERN } from "../../../service/index.ts";
import { problemResponse } from "../responses.ts";
import { remoteRequestSchema, remoteResponseSchema } from "./command-schemas.ts";

const count = {
  type: "integer",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Units to take. Default: 1. 0 takes none, and asks whether one is left",
} as const;

const reserve = {
  type: "boolean",
  description: "Take ahead of time what is not there yet, where the rule has max_reserved",
} as const;

const entry = {
  type: "object",
  additionalProperties: false,
  required: ["key", "value"],
  properties: { key: { type: "string", minLength: 1 }, value: { type: "string" } },
} as const;

const entries = { type: "array", minItems: 1, items: entry } as const;

const domain = { type: "string", minLength: 1 } as const;

/** The body of a limit or a check. */
export const requestSchema = {
  $id: "LimitRequest",
  type: "object",
  additionalProperties: false,
  required: ["domain", "descriptors"],
  properties: {
    domain,
    descriptors: {
      type: "array",
      minItems: 1,
      maxItems: MOST_DESCRIPTORS,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["entries"],
        properties: { entries, count, reserve },
      },
    },
    count: { ...count, description: "For every descriptor that names no count of its own" },
    reserve: { ...reserve, description: "For every descriptor that does not say" },
  },
} as const;

const lease = {
  type: "string",
  pattern: LEASE_PATTERN,
  description: "Names what is held to /v1/renew and /v1/release",
} as const;

/** The body of a renewal or a release: that of the request which was given the lease, and the lease. */
export const leaseRequestSchema = {
  ...requestSchema,
  $id: "LeaseRequest",
  required: [...requestSchema.required, "lease"],
  properties: { ...requestSchema.properties, lease },
} as const;

const ttl = {
  type: "integer",
  description: "Milliseconds from the request for which the lease lasts, unless renewed",
} as const;

/** What became of a lease. */
export const leaseResponseSchema = {
  $id: "LeaseResponse",
  type: "object",
  additionalProperties: false,
  required: ["held"],
  properties: {
    held: { type: "boolean", description: "Whether all of it was still held" },
    ttl,
  },
} as const;

/** The body of a reset and the like: no counts. */
export const keySchema = {
  $id: "KeyRequest",
  type: "object",
  additionalProperties: false,
  required: ["domain", "descriptors"],
  properties: {
    domain,
    descriptors: {
      type: "array",
      minItems: 1,
      maxItems: MOST_DESCRIPTORS,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["entries"],
        properties: { entries },
      },
    },
  },
} as const;

const amount = { type: "integer", minimum: 0, maximum: MOST_UNITS } as const;

/** The body of a settlement. */
export const settleSchema = {
  ...keySchema,
  $id: "SettleRequest",
  properties: {
    domain,
    descriptors: {
      ...keySchema.properties.descriptors,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["entries", "reserved", "used"],
        properties: {
          entries,
          reserved: { ...amount, description: "The count that was taken" },
          used: { ...amount, description: "What was really used" },
        },
      },
    },
  },
} as const;

/** The body of a block. */
export const blockSchema = {
  ...keySchema,
  $id: "BlockRequest",
  required: [...keySchema.required, "for"],
  properties: {
    ...keySchema.properties,
    for: { type: "integer", minimum: 1, maximum: LONGEST, description: "Milliseconds" },
  },
} as const;

const units = { type: ["integer", "null"], description: "Units; null for no bound" } as const;
const wait = { type: ["integer", "null"], description: "Milliseconds; null for ever" } as const;

const decision = {
  ok: { type: "boolean" },
  limit: { type: ["string", "null"], description: "The limit that decided; null for none" },
  capacity: units,
  remaining: units,
  retryAfter: wait,
  resetAfter: wait,
  shadow: { type: "boolean", description: "Decided and counted, and not enforced" },
  reason: { type: "string", description: "Why not" },
  degraded: { type: "boolean", description: "Answered without the store" },
} as const;

const required = ["ok", "limit", "capacity", "remaining", "retryAfter", "resetAfter"] as const;

/** The response: all decisions as one, and each of them. */
export const responseSchema = {
  $id: "LimitResponse",
  type: "object",
  required: [...required, "refused", "decisions"],
  properties: {
    ...decision,
    lease,
    ttl,
    refused: { type: "array", items: { type: "string" } },
    decisions: {
      type: "array",
      description: "One for each descriptor; null where no rule is for it",
      items: { type: ["object", "null"], required, properties: decision },
    },
  },
} as const;

/** What is left, for each descriptor. */
export const valuesSchema = {
  $id: "ValuesResponse",
  type: "object",
  additionalProperties: false,
  required: ["values"],
  properties: {
    values: {
      type: "array",
      description: "One for each descriptor; null where no rule is for it",
      items: {
        type: ["object", "null"],
        additionalProperties: false,
        required: ["limit", "capacity", "remaining", "reserved", "resetAfter", "blockedFor"],
        properties: {
          limit: { type: "string" },
          capacity: units,
          remaining: units,
          reserved: { type: "integer", description: "Units taken ahead of time, not yet back" },
          resetAfter: wait,
          blockedFor: { type: "integer", description: "Milliseconds; 0 where it is not blocked" },
        },
      },
    },
  },
} as const;

/** What every route of `/v1` can answer beside its response. */
export const problemResponses = {
  400: problemResponse("The body is not what it should be"),
  403: problemResponse("The request is a web page's"),
  404: problemResponse("No rules are for the domain; or there is nothing to block"),
  413: problemResponse("The body is over 65536 bytes"),
  415: problemResponse("The body is not application/json"),
} as const;

/** All that have a name. */
export const SCHEMAS = [
  requestSchema,
  leaseRequestSchema,
  keySchema,
  settleSchema,
  blockSchema,
  responseSchema,
  leaseResponseSchema,
  valuesSchema,
  remoteRequestSchema,
  remoteResponseSchema,
] as const;
