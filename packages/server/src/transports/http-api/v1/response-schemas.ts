/** What `/v1` answers, as JSON Schema. */
import { problemResponse } from "../responses.ts";
import { lease } from "./request-schemas.ts";

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
