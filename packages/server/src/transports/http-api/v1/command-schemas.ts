/** The JSON of `/v1/commands`, as JSON Schema. */
import { LONGEST } from "spillway/core";
import { REMOTE_VERBS } from "spillway/service";
import { MOST_UNITS } from "spillway/support";
import { closed, described, flag, list, open, text, whole } from "../json-schema.ts";
import { wait } from "./response-schemas.ts";

/** The maximum number of budgets that the library asks for together. */
const MOST_BUDGETS = 1000;

const count = { ...whole, minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const units = { ...whole, minimum: 0, maximum: MOST_UNITS } as const;

const limit = closed(
  {
    name: text,
    limit: described("object", "As the library defines it; durations in milliseconds"),
  },
  ["name", "limit"],
);

const budget = closed(
  {
    limit: { ...count, description: "The index of its limit in `limits`" },
    key: described("string", "The key; leave it out for the limit's global budget"),
    count: { ...count, description: "Units to take. Default: 1" },
    reserve: described("boolean", "Take units ahead of time if too few are left"),
    lease: closed({ id: count, headroom: count }, ["id", "headroom"]),
  },
  ["limit"],
);

const command = closed(
  {
    verb: { ...text, enum: REMOTE_VERBS },
    budgets: list(budget, { minItems: 1, maxItems: MOST_BUDGETS }),
    lease: closed({ id: count, count }, ["id", "count"]),
    settlement: closed({ reserved: units, used: units }, ["reserved", "used"]),
    ms: { ...whole, minimum: 1, maximum: LONGEST, description: "How long to block" },
  },
  ["verb", "budgets"],
);

/** The body of a request. */
export const remoteRequestSchema = {
  $id: "RemoteRequest",
  ...closed(
    {
      prefix: {
        ...text,
        pattern: "^[^\\s{}\\p{Cc}\\p{Cs}]{1,64}$",
        description: "The prefix of the budgets; programs with the same prefix share them",
      },
      limits: list(limit, { maxItems: MOST_BUDGETS }),
      commands: list(command, { minItems: 1, maxItems: MOST_BUDGETS }),
    },
    ["prefix", "limits", "commands"],
  ),
} as const;

const decision = open(
  {
    ok: flag,
    capacity: whole,
    remaining: whole,
    retryAfter: wait,
    resetAfter: wait,
    reason: text,
    degraded: flag,
  },
  ["ok", "capacity", "remaining", "retryAfter", "resetAfter"],
);

const value = open(
  { capacity: whole, remaining: whole, reserved: whole, resetAfter: wait, blockedFor: whole },
  ["capacity", "remaining", "reserved", "resetAfter", "blockedFor"],
);

const outcome = open({
  decisions: { ...list(decision), description: "limit, check" },
  value: { ...value, description: "value, settle" },
  held: described("boolean", "release, renew"),
  done: described("boolean", "reset, block, unblock"),
  error: described("string", "The code of an error, if there is no answer"),
});

/** The response: one outcome for each command. */
export const remoteResponseSchema = {
  $id: "RemoteResponse",
  ...open({ outcomes: list(outcome) }, ["outcomes"]),
} as const;
