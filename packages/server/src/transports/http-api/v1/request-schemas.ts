/** Requests to `/v1`, as JSON Schema. */
import { LONGEST } from "spillway/core";
import { MOST_UNITS } from "spillway/support";
import { LEASE_PATTERN } from "../../../service/index.ts";
import { MOST_DESCRIPTORS, MOST_ENTRIES } from "../../envoy/index.ts";
import { closed, flag, list, text, whole } from "../json-schema.ts";

const count = {
  ...whole,
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Units to take. Default: 1. 0 takes none and checks whether one is left",
} as const;

const reserve = {
  ...flag,
  description: "Take units ahead of time if too few are left and the rule has max_reserved",
} as const;

export const name = { ...text, minLength: 1 } as const;
const entry = closed({ key: name, value: text }, ["key", "value"]);
const entries = list(entry, { minItems: 1, maxItems: MOST_ENTRIES });

/** Descriptors with these fields in addition to `entries`. */
function descriptorsWith(fields: object, required: readonly string[] = []) {
  const item = closed({ entries, ...fields }, ["entries", ...(required as [])]);
  return list(item, { minItems: 1, maxItems: MOST_DESCRIPTORS });
}

/** A body with these fields in addition to the domain. */
function bodyOf<F extends object>($id: string, fields: F, required: readonly (keyof F)[]) {
  return { $id, ...closed({ domain: name, ...fields }, ["domain", ...(required as [])]) } as const;
}

const asked = {
  descriptors: descriptorsWith({ count, reserve }),
  count: { ...count, description: "The count for descriptors without their own" },
  reserve: { ...reserve, description: "The value for descriptors without their own" },
} as const;

/** The body of a limit or a check. */
export const requestSchema = bodyOf("LimitRequest", asked, ["descriptors"]);

/** The name of a lease. */
export const lease = {
  ...text,
  pattern: LEASE_PATTERN,
  description: "Identifies the lease for /v1/renew and /v1/release",
} as const;

/**
 * The body of a renewal or a release: the body of the request that received the lease, and the
 * lease's name.
 */
export const leaseRequestSchema = bodyOf("LeaseRequest", { ...asked, lease }, [
  "descriptors",
  "lease",
]);

export const unadorned = { descriptors: descriptorsWith({}) };

/** The body of a reset and similar calls: no counts. */
export const keySchema = bodyOf("KeyRequest", unadorned, ["descriptors"]);

/** A number of units. */
export const amount = { ...whole, minimum: 0, maximum: MOST_UNITS } as const;

const settled = {
  reserved: { ...amount, description: "The count that was taken" },
  used: { ...amount, description: "The actual usage" },
} as const;

/** The body of a settlement. */
export const settleSchema = bodyOf(
  "SettleRequest",
  { descriptors: descriptorsWith(settled, ["reserved", "used"]) },
  ["descriptors"],
);

export const duration = { ...whole, minimum: 1, maximum: LONGEST, description: "Milliseconds" };

/** The body of a block. */
export const blockSchema = bodyOf("BlockRequest", { ...unadorned, for: duration }, [
  "descriptors",
  "for",
]);
