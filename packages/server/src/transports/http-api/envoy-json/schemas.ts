/**
 * The JSON of `/json`: the messages of Envoy's rate limit service, in either spelling of protobuf.
 */
import { MOST_DESCRIPTORS, MOST_ENTRIES, UNIT_NAMES } from "../../envoy/index.ts";
import { closed, described, list, open, text, whole } from "../json-schema.ts";
import { jsonResponse, problemResponse } from "../responses.ts";

/** In protobuf's JSON, null stands for a missing field. */
const textOrNone = { type: ["string", "null"] } as const;
const flagOrNone = { type: ["boolean", "null"] } as const;
const number = {
  type: ["integer", "string", "null"],
  minimum: 0,
  pattern: "^[0-9]{1,20}$",
} as const;

function listOrNone(items: object, maxItems: number) {
  return { ...list(items, { maxItems }), type: ["array", "null"] } as const;
}

/** protobuf's JSON accepts only one spelling of a field at a time. */
const oneSpelling = { not: { required: ["hitsAddend", "hits_addend"] } } as const;

const limit = {
  ...closed({
    requestsPerUnit: number,
    requests_per_unit: number,
    unit: described(["string", "integer", "null"], UNIT_NAMES.join(", ")),
  }),
  ...described(
    ["object", "null"],
    "A limit that overrides rules; it counts by domain, entries and unit",
  ),
  not: { type: "object", required: ["requestsPerUnit", "requests_per_unit"] },
} as const;

const descriptor = {
  ...closed({
    entries: listOrNone(closed({ key: textOrNone, value: textOrNone }), MOST_ENTRIES),
    limit,
    hitsAddend: { ...number, description: "0 checks whether one hit is left" },
    hits_addend: number,
    isNegativeHits: { ...flagOrNone, description: "Give hits back" },
    is_negative_hits: flagOrNone,
  }),
  ...oneSpelling,
} as const;

/** The body: a RateLimitRequest. */
export const requestSchema = {
  $id: "RateLimitRequest",
  ...closed({
    domain: textOrNone,
    descriptors: listOrNone(descriptor, MOST_DESCRIPTORS),
    hitsAddend: { ...number, description: "For descriptors without a value; 0 means 1" },
    hits_addend: number,
  }),
  ...oneSpelling,
} as const;

const code = { ...text, enum: ["OK", "OVER_LIMIT"] } as const;

const status = open(
  {
    code,
    currentLimit: open({ requestsPerUnit: whole, unit: text, name: text }),
    limitRemaining: whole,
    durationUntilReset: described("string", 'Whole seconds, such as "58s"'),
  },
  ["code"],
);

/** The response: a RateLimitResponse. Fields with their default value are left out. */
export const responseSchema = {
  $id: "RateLimitResponse",
  ...open(
    {
      overallCode: code,
      statuses: list(status),
      responseHeadersToAdd: list(open({ key: text, value: text })),
      dynamicMetadata: { type: "object", additionalProperties: true },
    },
    ["overallCode", "statuses"],
  ),
} as const;

export const responses = {
  200: jsonResponse("OK", "RateLimitResponse"),
  429: jsonResponse("OVER_LIMIT", "RateLimitResponse"),
  503: jsonResponse("OVER_LIMIT, because the store gave no answer", "RateLimitResponse"),
  400: problemResponse("The body is not a RateLimitRequest"),
  403: problemResponse("The request comes from a web page"),
  413: problemResponse("The body is over 65536 bytes"),
} as const;
