/** Reads the amount and the period of a `rate_limit`. */
import type { Kind, Limit } from "spillway";
import { planFor } from "spillway/algorithms";
import { checkLimit, SpillwayError } from "spillway/core";
import { shardPlans } from "spillway/store";
import { RATE_KINDS } from "spillway/support";
import { RULE_CODES } from "../error-codes.ts";
import { POLICIES } from "./field-table.ts";
import { fieldValue, type RuleField, type RuleFields } from "./fields.ts";
import { readDuration, readKind, readPeriod, readWord } from "./read-pace.ts";
import { readPenalty } from "./read-penalty.ts";
import { readStart } from "./read-start.ts";
import { readUnits } from "./scalars.ts";
import type { RuleSource } from "./source.ts";

/** The place and the name of a limit. */
type LimitLocation = { readonly field: RuleField; readonly ruleName: string };

/** The library's field names, and the names in rule files. */
const FIELD_NAMES: { readonly [field: string]: string } = {
  rate: "requests_per_unit",
  maxReserved: "max_reserved",
  whenUnavailable: "when_unavailable",
};

const REQUESTS = {
  name: "requests_per_unit",
  code: "bad-requests-per-unit",
  otherwise: 0,
  ifMore: "For no limit at all, write unlimited: true",
} as const;

const CAPACITY = {
  name: "capacity",
  code: "bad-capacity",
  ifMore: "No key can hold more",
} as const;

const MAX_RESERVED = {
  name: "max_reserved",
  code: "bad-max-reserved",
  otherwise: undefined,
  ifMore: "Without it none can be taken ahead of time",
} as const;

const SHARDS = {
  name: "shards",
  code: "bad-shards",
  otherwise: undefined,
  least: 1,
  most: 1000,
  ifMore: "Each shard is a budget of its own",
} as const;

/** Reads a limit; undefined if it is invalid, which is reported. */
export function readLimit(
  source: RuleSource,
  fields: RuleFields,
  place: LimitLocation,
): Limit | undefined {
  const kind = readKind(source, fields);
  const whenUnavailable = readWord(source, fields, {
    name: "when_unavailable",
    code: "bad-when-unavailable",
    words: POLICIES,
  });
  const penalty = readPenalty(source, fields);
  // Numbers are read for every kind, so that all mistakes are reported at once.
  const read = kind === "concurrency" ? readLeases : readRate;
  const limit = read(source, fields, { ...place, kind });
  if (kind === undefined || limit === undefined || hasForeign(source, fields, kind)) {
    return undefined;
  }
  const more = {
    ...(whenUnavailable === undefined ? {} : { whenUnavailable }),
    ...(penalty === undefined ? {} : { penalty }),
  };
  return exact(source, { ...limit, kind, ...more } as Limit, { ...place, fields });
}

type LimitContext = LimitLocation & { readonly kind: Kind | undefined };

function readLeases(
  source: RuleSource,
  fields: RuleFields,
  { field }: LimitContext,
): object | undefined {
  const ttl = readDuration(source, fields, { name: "ttl", code: "bad-ttl" });
  const capacity = readUnits(source, fields, { ...CAPACITY, otherwise: undefined });
  if (fieldValue(fields, "ttl") === undefined) {
    const expected = 'ttl: "30s" or similar, the time after which a lease expires';
    source.complain(field.name, { code: "bad-ttl", found: "no ttl", expected });
  }
  if (fieldValue(fields, "capacity") === undefined) {
    const expected = "capacity, the most units in flight";
    source.complain(field.name, { code: "bad-capacity", found: "no capacity", expected });
  }
  return ttl === undefined || capacity === undefined ? undefined : { capacity, ttl };
}

function readRate(
  source: RuleSource,
  fields: RuleFields,
  { field, kind }: LimitContext,
): object | undefined {
  const period = readPeriod(source, fields, field);
  const rate = readUnits(source, fields, REQUESTS);
  if (fieldValue(fields, REQUESTS.name) === undefined) warnOfNone(source, field);
  const capacity = readUnits(source, fields, { ...CAPACITY, otherwise: rate });
  const maxReserved = readUnits(source, fields, MAX_RESERVED);
  const shards = readUnits(source, fields, SHARDS);
  const share = readDuration(source, fields, { name: "share", code: "bad-share" });
  // By default windows begin with the UTC minute, hour or day, at the same instant for every key.
  const start = readStart(source, fields);
  if (period === undefined || rate === undefined || capacity === undefined) return undefined;
  const hasWindows = kind === "fixed window" || kind === "sliding window";
  const aligned = hasWindows && start !== undefined ? { start } : {};
  return {
    rate,
    period,
    capacity,
    ...aligned,
    ...(maxReserved === undefined ? {} : { maxReserved }),
    ...(shards === undefined ? {} : { shards }),
    ...(share === undefined ? {} : { share }),
  };
}

/** A limit of 0 refuses everything, which is rarely meant. */
function warnOfNone(source: RuleSource, field: RuleField): void {
  const { name } = REQUESTS;
  const expected = `${name}; write 0 to refuse every request`;
  source.warn(field.name, { code: "refuses-all", found: `no ${name}, which is 0`, expected });
}

/** Whether a field does not belong to limits of this kind; reports it. */
function hasForeign(source: RuleSource, fields: RuleFields, kind: Kind): boolean {
  const foreign = foreignTo(kind).filter((name) => fieldValue(fields, name) !== undefined);
  for (const name of foreign) {
    source.complain(fields.get(name)?.name ?? null, {
      code: "field-of-other-kind",
      found: name,
      expected: `no ${name} if the kind is ${kind}`,
    });
  }
  return foreign.length > 0;
}

function foreignTo(kind: Kind): readonly string[] {
  if (kind === "concurrency") {
    // Only the process that keeps a place knows the leases of that place, but any process may
    // receive the request to release one.
    return [
      "unit",
      "period",
      "start",
      "requests_per_unit",
      "max_reserved",
      "shards",
      "share",
      "penalty",
    ];
  }
  const { holds, windows, queues, lentNumber } = RATE_KINDS[kind];
  return [
    "ttl",
    ...(windows ? [] : ["start"]),
    ...(holds ? [] : ["max_reserved"]),
    ...(queues ? ["shards"] : []),
    ...(lentNumber > 0 ? [] : ["share"]),
  ];
}

/** Returns the limit if the library can compute all its numbers exactly. */
function exact(
  source: RuleSource,
  limit: Limit,
  { field, fields, ruleName }: LimitLocation & { readonly fields: RuleFields },
): Limit | undefined {
  try {
    checkLimit(ruleName, limit);
    const plan = planFor(ruleName, limit);
    // A limit can be exact although its parts are not.
    if ("shards" in limit && limit.shards !== undefined) shardPlans(plan, limit.shards);
    return Object.freeze(limit);
  } catch (error) {
    const code = RULE_CODES.find((known) => error instanceof SpillwayError && known === error.code);
    if (code === undefined) throw error;
    const { field: at = "", message: hint } = error as SpillwayError;
    const found = "fields that don't fit together";
    const expected = "a limit that can be kept exactly";
    const node = fieldValue(fields, FIELD_NAMES[at] ?? at) ?? field.name;
    source.complain(node, { code, found, expected, hint });
    return undefined;
  }
}
