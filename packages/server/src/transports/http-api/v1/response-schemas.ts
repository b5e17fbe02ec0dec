/** Responses of `/v1`, as JSON Schema. */
import { closed, described, flag, list, open, text } from "../json-schema.ts";
import { problemResponse } from "../responses.ts";
import { lease } from "./request-schemas.ts";

const ttl = described(
  "integer",
  "Milliseconds from the request for which the lease lasts, unless renewed",
);
const held = described("boolean", "Whether all of it was still held");

/** The outcome of a lease. */
export const leaseResponseSchema = {
  $id: "LeaseResponse",
  ...closed({ held, ttl }, ["held"]),
} as const;

const units = described(["integer", "null"], "Units; null for no bound");
export const wait = described(["integer", "null"], "Milliseconds; null for ever");

const decision = {
  ok: flag,
  limit: described(["string", "null"], "The limit that decided; null for none"),
  capacity: units,
  remaining: units,
  retryAfter: wait,
  resetAfter: wait,
  shadow: described("boolean", "Decided and counted, and not enforced"),
  reason: described("string", "Why not"),
  degraded: described("boolean", "Answered without the store"),
} as const;

const required = ["ok", "limit", "capacity", "remaining", "retryAfter", "resetAfter"] as const;

/** A list with an item for each descriptor. */
function forEach(item: object) {
  const description = "One for each descriptor; null where no rule is for it";
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

const value = closed(
  {
    limit: text,
    capacity: units,
    remaining: units,
    reserved: described("integer", "Units taken ahead of time, not yet back"),
    resetAfter: wait,
    blockedFor: described("integer", "Milliseconds; 0 where it is not blocked"),
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
  400: problemResponse("The body is not what it should be"),
  403: problemResponse("The request is a web page's"),
  404: problemResponse("No rules are for the domain; or there is nothing to block"),
  413: problemResponse("The body is over 65536 bytes"),
  415: problemResponse("The body is not application/json"),
} as const;
