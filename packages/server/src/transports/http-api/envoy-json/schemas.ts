/** The JSON of `/json`: the protobuf messages of Envoy's rate limit service, in either spelling. */
import { MOST_DESCRIPTORS, MOST_ENTRIES, UNIT_NAMES } from "../../../envoy/index.ts";
import { jsonResponse, problemResponse } from "../responses.ts";

const text = { type: ["string", "null"] } as const;
const flag = { type: ["boolean", "null"] } as const;
const whole = {
  type: ["integer", "string", "null"],
  minimum: 0,
  pattern: "^[0-9]{1,20}$",
} as const;

/** protobuf's JSON takes each field in one spelling only. */
const oneSpelling = { not: { required: ["hitsAddend", "hits_addend"] } } as const;

const entry = {
  type: "object",
  additionalProperties: false,
  properties: { key: text, value: text },
} as const;

const limit = {
  type: ["object", "null"],
  description: "A limit in place of any rule; it counts by domain, entries and unit",
  additionalProperties: false,
  not: { type: "object", required: ["requestsPerUnit", "requests_per_unit"] },
  properties: {
    requestsPerUnit: whole,
    requests_per_unit: whole,
    unit: { type: ["string", "integer", "null"], description: UNIT_NAMES.join(", ") },
  },
} as const;

const descriptor = {
  type: "object",
  additionalProperties: false,
  ...oneSpelling,
  properties: {
    entries: { type: ["array", "null"], maxItems: MOST_ENTRIES, items: entry },
    limit,
    hitsAddend: { ...whole, description: "0 asks whether one hit is left" },
    hits_addend: whole,
    isNegativeHits: { ...flag, description: "Give hits back" },
    is_negative_hits: flag,
  },
} as const;

/** The body: a RateLimitRequest. */
export const requestSchema = {
  $id: "RateLimitRequest",
  type: "object",
  additionalProperties: false,
  ...oneSpelling,
  properties: {
    domain: text,
    descriptors: { type: ["array", "null"], maxItems: MOST_DESCRIPTORS, items: descriptor },
    hitsAddend: { ...whole, description: "For descriptors without one; 0 is 1" },
    hits_addend: whole,
  },
} as const;

const code = { type: "string", enum: ["OK", "OVER_LIMIT"] } as const;

/** The response: a RateLimitResponse. Fields that have their default value are left out. */
export const responseSchema = {
  $id: "RateLimitResponse",
  type: "object",
  required: ["overallCode", "statuses"],
  properties: {
    overallCode: code,
    statuses: {
      type: "array",
      items: {
        type: "object",
        required: ["code"],
        properties: {
          code,
          currentLimit: {
            type: "object",
            properties: {
              requestsPerUnit: { type: "integer" },
              unit: { type: "string" },
              name: { type: "string" },
            },
          },
          limitRemaining: { type: "integer" },
          durationUntilReset: { type: "string", description: 'Whole seconds, such as "58s"' },
        },
      },
    },
    responseHeadersToAdd: {
      type: "array",
      items: {
        type: "object",
        properties: { key: { type: "string" }, value: { type: "string" } },
      },
    },
    dynamicMetadata: { type: "object", additionalProperties: true },
  },
} as const;

export const responses = {
  200: jsonResponse("OK", "RateLimitResponse"),
  429: jsonResponse("OVER_LIMIT", "RateLimitResponse"),
  503: jsonResponse("OVER_LIMIT, for the store gave no answer", "RateLimitResponse"),
  400: problemResponse("The body is not a RateLimitRequest"),
  403: problemResponse("The request is a web page's"),
  413: problemResponse("The body is over 65536 bytes"),
} as const;
