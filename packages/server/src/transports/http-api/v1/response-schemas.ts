/** Responses of `/v1`, as JSON Schema. */
import { closed, described, flag, list, open, text } from "../json-schema.ts";
import { problemResponse } from "../responses.ts";
import { lease } from "./request-schemas.ts";

const ttl = described(
  "integer",
  "How long the lease lasts from the request unless renewed, in milliseconds",
);
const held = described("boolean", "Whether all units were still held");

/** The outcome of a lease. */
export const leaseResponseSchema = {
  $id: "LeaseResponse",
  ...closed({ held, ttl }, ["held"]),
} as const;

export const units = described(["integer", "null"], "Units; null if unbounded");
export const wait = described(["integer", "null"], "Milliseconds; null for forever");

const decision = {
  ok: flag,
  limit: described(["string", "null"], "The limit that decided; null if none did"),
  capacity: units,
  remaining: units,
  retryAfter: wait,
  resetAfter: wait,
  shadow: described("boolean", "Decided and counted, but not enforced"),
  off: described("boolean", "Not asked, because the limit is off"),
  reason: described("string", "Why the request was refused"),
  degraded: described("boolean", "Answered without the store"),
} as const;

const required = ["ok", "limit", "capacity", "remaining", "retryAfter", "resetAfter"] as const;

/** A list with an item for each descriptor. */
function forEach(item: object) {
  const description = "One per descriptor; null if it has no rule";
  return { ...list({ ...item, type: ["object", "null"] }), description } as const;
}

/** The response: all decisions joined, and each of them. */
export const responseSchema = {
  $id: "LimitResponse",
  ...open(
    { ...decision, lease, ttl, refused: list(text), decisions: forEach(open(decision, required)) },
    [...required, "refused", "decisions"],
  ),
} as const;

export const penalized = {
  ...flag,
  enum: [true],
  description: "That block is a penalty, for refusals",
} as const;

const value = closed(
  {
    limit: text,
    capacity: units,
    remaining: units,
    reserved: described("integer", "Units taken ahead of time, not yet back"),
    resetAfter: wait,
    blockedFor: described("integer", "Milliseconds; 0 if the key is not blocked"),
    penalized,
  },
  ["limit", "capacity", "remaining", "reserved", "resetAfter", "blockedFor"],
);

/** The units left, for each descriptor. */
export const valuesSchema = {
  $id: "ValuesResponse",
  ...closed({ values: forEach(value) }, ["values"]),
} as const;

/** Problems that every route of `/v1` can answer with. */
export const problemResponses = {
  400: problemResponse("The body is invalid"),
  403: problemResponse("The request comes from a web page"),
  404: problemResponse("The domain has no rules, or no limit to block"),
  413: problemResponse("The body is over 65536 bytes"),
  415: problemResponse("The body is not application/json"),
} as const;
