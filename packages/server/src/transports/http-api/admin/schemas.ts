/** The JSON of an administration listener, as JSON Schema. */
import { MODES } from "../../../rules/index.ts";
import { closed, described, flag, list, open, text, whole } from "../json-schema.ts";
import { amount, duration, name, unadorned } from "../v1/request-schemas.ts";
import { penalized, units, wait } from "../v1/response-schemas.ts";
import { NOT_BLANK } from "../validation.ts";

const reason = {
  ...text,
  minLength: 1,
  maxLength: 500,
  pattern: NOT_BLANK,
  description: "Why, for the audit log",
} as const;

const version = {
  ...whole,
  minimum: 0,
  description: "The version that you have read: refused if the subject was changed after it",
} as const;

const said = { reason, version };
const keys = { domain: name, ...unadorned };

/** The bodies of changes, by the name of the change. */
export const CHANGE_BODIES = {
  reset: { $id: "AdminReset", ...closed({ ...keys, ...said }, ["domain", "descriptors"]) },
  block: {
    $id: "AdminBlock",
    ...closed({ ...keys, for: duration, ...said }, ["domain", "descriptors", "for", "reason"]),
  },
  override: {
    $id: "AdminOverride",
    ...closed(
      {
        ...keys,
        rate: { ...amount, description: "Units that come back in the rule's period" },
        capacity: { ...amount, description: "The most units at once" },
        unlimited: { ...flag, enum: [true], description: "Refuse nothing" },
        for: { ...duration, description: "Milliseconds. Default: until it is ended" },
        ...said,
      },
      ["domain", "descriptors", "reason"],
    ),
  },
  "end-override": {
    $id: "AdminEndOverride",
    ...closed({ ...keys, ...said }, ["domain", "descriptors"]),
  },
  unblock: { $id: "AdminUnblock", ...closed({ ...keys, ...said }, ["domain", "descriptors"]) },
  mode: {
    $id: "AdminMode",
    ...closed(
      {
        limit: described("string", "The name of one limit, such as shop/user"),
        rule: described("string", "The rate_limit.name of some limits"),
        domain: described("string", "A domain, for all its limits"),
        all: { ...flag, enum: [true], description: "For every limit" },
        mode: { ...text, enum: MODES },
        ...said,
      },
      ["mode", "reason"],
    ),
  },
} as const;

/** The body of a read. */
export const adminKeySchema = {
  $id: "AdminKeys",
  ...closed(keys, ["domain", "descriptors"]),
} as const;

const entry = open(
  {
    version: whole,
    at: described("string", "When, in ISO 8601"),
    service: described("string", "The service that was called, in a log that several share"),
    by: described("string", "Who: the token's right or the socket, and the name"),
    what: text,
    on: list(text),
    outcome: described("string", "accepted, refused or failed"),
    before: {},
    after: {},
    reason: text,
    until: described("string", "When it ends by itself, in ISO 8601"),
    code: text,
    detail: text,
  },
  ["version", "at", "by", "what", "on", "outcome"],
);

const value = open(
  {
    limit: text,
    capacity: units,
    remaining: units,
    reserved: whole,
    resetAfter: wait,
    blockedFor: whole,
    penalized,
  },
  ["limit", "capacity", "remaining", "reserved", "resetAfter", "blockedFor"],
);

const moded = open({ limit: text, mode: text }, ["limit", "mode"]);

const budget = open(
  {
    budget: described("string", "Its name, such as shop/user=ann"),
    limit: text,
    mode: text,
    key: described("string", "The digest of its key, as top-keys has it"),
    value,
    override: {
      ...open(
        {
          for: described("integer", "How long it still lasts, in milliseconds"),
          capacity: described("integer", "The most units at once"),
          by: { ...entry, description: "Who made it" },
        },
        ["for", "capacity"],
      ),
      description: "The override in force",
    },
    changed: { ...entry, description: "Its latest change" },
  },
  ["budget", "limit", "mode", "key", "value"],
);

const keyCount = open(
  {
    limit: text,
    key: described("string", "The digest of the key or, with --log-keys, its entries"),
    asks: described("integer", "Requests; too high by error at most"),
    error: whole,
    refusals: described("integer", "Refused requests; never too high"),
  },
  ["limit", "key", "asks", "error", "refusals"],
);

/** The responses. */
export const ADMIN_RESPONSES = [
  {
    $id: "BudgetsResponse",
    ...open({ version: whole, budgets: list(budget) }, ["version", "budgets"]),
  },
  {
    $id: "ChangeResponse",
    ...open({ version: whole, budgets: list(text), values: list(value), limits: list(moded) }, [
      "version",
    ]),
  },
  {
    $id: "ModesResponse",
    ...open(
      {
        version: whole,
        switches: list(open({ scope: text, name: text, mode: text }, ["scope", "name", "mode"])),
        limits: list(moded),
      },
      ["version", "switches", "limits"],
    ),
  },
  {
    $id: "TopKeysResponse",
    ...open(
      {
        period: described("integer", "The time in which they were counted, in milliseconds"),
        asks: described("integer", "All requests in that time"),
        missing: described("integer", "Workers without an answer, whose requests are left out"),
        keys: list(keyCount),
      },
      ["period", "asks", "keys"],
    ),
  },
  {
    $id: "AuditResponse",
    ...open({ version: whole, where: text, entries: list(entry) }, ["version", "where", "entries"]),
  },
] as const;

const most = {
  ...text,
  pattern: "^[1-9]\\d{0,2}$",
  description: "The most items: 1 to 999",
} as const;

/** The query of the audit log. */
export const auditQuerySchema = closed({ count: most });

/** The query of the most asked keys. */
export const topKeysQuerySchema = closed({
  count: most,
  limit: described("string", "The name of a limit, for its keys alone"),
});
