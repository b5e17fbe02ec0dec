/** The JSON of `/v1/commands`, as JSON Schema. */
import { LONGEST, MOST_UNITS } from "spillway/core";
import { REMOTE_VERBS } from "spillway/service";

const LARGEST = Number.MAX_SAFE_INTEGER;
/** As many budgets as the library asks for together. */
const MOST_BUDGETS = 1000;

const whole = { type: "integer", minimum: 0, maximum: LARGEST } as const;
const units = { type: "integer", minimum: 0, maximum: MOST_UNITS } as const;

function closed<P extends object>(properties: P, required: readonly (keyof P & string)[]) {
  return { type: "object", additionalProperties: false, required, properties } as const;
}

const limit = closed(
  {
    name: { type: "string" },
    limit: { type: "object", description: "As the library defines it; durations in milliseconds" },
  },
  ["name", "limit"],
);

const budget = closed(
  {
    limit: { ...whole, description: "The place of its limit in `limits`, from 0" },
    key: { type: "string", description: "Whose; left out for the limit's one global budget" },
    count: { ...whole, description: "Units to take. Default: 1" },
    reserve: { type: "boolean", description: "Take ahead of time what is not there yet" },
    lease: closed({ id: whole, headroom: whole }, ["id", "headroom"]),
  },
  ["limit"],
);

const command = closed(
  {
    verb: { type: "string", enum: REMOTE_VERBS },
    budgets: { type: "array", minItems: 1, maxItems: MOST_BUDGETS, items: budget },
    lease: closed({ id: whole, count: whole }, ["id", "count"]),
    settlement: closed({ reserved: units, used: units }, ["reserved", "used"]),
    ms: { type: "integer", minimum: 1, maximum: LONGEST, description: "How long to block" },
  },
  ["verb", "budgets"],
);

/** The body of a request. */
export const remoteRequestSchema = {
  $id: "RemoteRequest",
  ...closed(
    {
      prefix: {
        type: "string",
        pattern: "^[^\\s{}\\p{Cc}\\p{Cs}]{1,64}$",
        description: "Whose budgets: programs with one prefix share them",
      },
      limits: { type: "array", maxItems: MOST_BUDGETS, items: limit },
      commands: { type: "array", minItems: 1, maxItems: MOST_BUDGETS, items: command },
    },
    ["prefix", "limits", "commands"],
  ),
} as const;

const wait = { type: ["integer", "null"], description: "Milliseconds; null for ever" } as const;

const decision = {
  type: "object",
  required: ["ok", "capacity", "remaining", "retryAfter", "resetAfter"],
  properties: {
    ok: { type: "boolean" },
    capacity: { type: "integer" },
    remaining: { type: "integer" },
    retryAfter: wait,
    resetAfter: wait,
    reason: { type: "string" },
    degraded: { type: "boolean" },
  },
} as const;

const value = {
  type: "object",
  required: ["capacity", "remaining", "reserved", "resetAfter", "blockedFor"],
  properties: {
    capacity: { type: "integer" },
    remaining: { type: "integer" },
    reserved: { type: "integer" },
    resetAfter: wait,
    blockedFor: { type: "integer" },
  },
} as const;

/** The response: one of the fields for each command. */
export const remoteResponseSchema = {
  $id: "RemoteResponse",
  type: "object",
  required: ["outcomes"],
  properties: {
    outcomes: {
      type: "array",
      items: {
        type: "object",
        properties: {
          decisions: { type: "array", items: decision, description: "limit, check" },
          value: { ...value, description: "value, settle" },
          held: { type: "boolean", description: "release, renew" },
          done: { type: "boolean", description: "reset, block, unblock" },
          error: { type: "string", description: "The code of an error: there is no answer" },
        },
      },
    },
  },
} as const;
