/** What `/v1` is asked, as JSON Schema. */
import { LONGEST, MOST_UNITS } from "spillway/core";
import { MOST_DESCRIPTORS, MOST_ENTRIES } from "../../../envoy/index.ts";
import { LEASE_PATTERN } from "../../../service/index.ts";

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

const entries = { type: "array", minItems: 1, maxItems: MOST_ENTRIES, items: entry } as const;

const domain = { type: "string", minLength: 1 } as const;

/** Descriptors, whose fields beside `entries` are these. */
function descriptorsWith(fields: object, required: readonly string[] = []) {
  return {
    type: "array",
    minItems: 1,
    maxItems: MOST_DESCRIPTORS,
    items: {
      type: "object",
      additionalProperties: false,
      required: ["entries", ...required],
      properties: { entries, ...fields },
    },
  } as const;
}

/** A body, whose fields beside the domain are these. */
function bodyOf($id: string, fields: object, required: readonly string[] = ["descriptors"]) {
  return {
    $id,
    type: "object",
    additionalProperties: false,
    required: ["domain", ...required],
    properties: { domain, ...fields },
  } as const;
}

const asked = {
  descriptors: descriptorsWith({ count, reserve }),
  count: { ...count, description: "For every descriptor that names no count of its own" },
  reserve: { ...reserve, description: "For every descriptor that does not say" },
} as const;

/** The body of a limit or a check. */
export const requestSchema = bodyOf("LimitRequest", asked);

/** The name of a lease. */
export const lease = {
  type: "string",
  pattern: LEASE_PATTERN,
  description: "Names what is held to /v1/renew and /v1/release",
} as const;

/** The body of a renewal or a release: that of the request which was given the lease, and the lease. */
export const leaseRequestSchema = bodyOf("LeaseRequest", { ...asked, lease }, [
  "descriptors",
  "lease",
]);

/** The body of a reset and the like: no counts. */
export const keySchema = bodyOf("KeyRequest", { descriptors: descriptorsWith({}) });

const amount = { type: "integer", minimum: 0, maximum: MOST_UNITS } as const;

const settled = {
  reserved: { ...amount, description: "The count that was taken" },
  used: { ...amount, description: "What was really used" },
} as const;

/** The body of a settlement. */
export const settleSchema = bodyOf("SettleRequest", {
  descriptors: descriptorsWith(settled, ["reserved", "used"]),
});

const duration = { type: "integer", minimum: 1, maximum: LONGEST, description: "Milliseconds" };

/** The body of a block. */
export const blockSchema = bodyOf(
  "BlockRequest",
  { descriptors: descriptorsWith({}), for: duration },
  ["descriptors", "for"],
);
