/** Reads a RateLimitRequest from protobuf's JSON. */
import { display } from "spillway/support";
import { RequestError } from "../../../service/index.ts";
import {
  type DescriptorMessage,
  type LimitMessage,
  type RequestMessage,
  UNIT_NAMES,
  type UnitName,
} from "../../envoy/index.ts";

/** A protobuf integer in JSON: a number, or its digits as a text. */
type JsonInteger = number | string | null;
type EntryJson = { readonly key?: string | null; readonly value?: string | null };

type LimitJson = {
  readonly requestsPerUnit?: JsonInteger;
  readonly requests_per_unit?: JsonInteger;
  /** A unit's name, or its number. */
  readonly unit?: string | number | null;
};

type DescriptorJson = {
  readonly entries?: readonly EntryJson[] | null;
  readonly limit?: LimitJson | null;
  readonly hitsAddend?: JsonInteger;
  readonly hits_addend?: JsonInteger;
  readonly isNegativeHits?: boolean | null;
  readonly is_negative_hits?: boolean | null;
};

/** The body, after it has passed the schema. */
export type RateLimitRequest = {
  readonly domain?: string | null;
  readonly descriptors?: readonly DescriptorJson[] | null;
  readonly hitsAddend?: JsonInteger;
  readonly hits_addend?: JsonInteger;
};

const MOST_UINT32 = 2 ** 32 - 1;
const MOST_UINT64 = 2 ** 64;

/** Reads a request. @throws RequestError */
export function readRequest(body: RateLimitRequest): RequestMessage {
  return {
    domain: body.domain ?? "",
    descriptors: (body.descriptors ?? []).map(readDescriptor),
    hitsAddend: whole(body.hitsAddend ?? body.hits_addend, HITS) ?? 0,
  };
}

function readDescriptor(json: DescriptorJson): DescriptorMessage {
  return {
    entries: (json.entries ?? []).map(({ key, value }) => ({ key: key ?? "", value: value ?? "" })),
    limit: readLimit(json.limit ?? undefined),
    hitsAddend: whole(json.hitsAddend ?? json.hits_addend, HITS_OF_DESCRIPTOR),
    isNegativeHits: json.isNegativeHits ?? json.is_negative_hits ?? false,
  };
}

function readLimit(json: LimitJson | undefined): LimitMessage | undefined {
  if (json === undefined) return undefined;
  const requestsPerUnit = whole(json.requestsPerUnit ?? json.requests_per_unit, REQUESTS) ?? 0;
  return { requestsPerUnit, unit: unitOf(json.unit ?? 0) };
}

function unitOf(unit: string | number): UnitName {
  const name = UNIT_NAMES.find((known, number) => known === unit || number === unit);
  if (name !== undefined) return name;
  throw badField(`Found ${display(unit)} as unit, expected one of ${UNIT_NAMES.join(", ")}`);
}

type IntegerField = { readonly name: string; readonly most: number };
const HITS: IntegerField = { name: "hitsAddend", most: MOST_UINT32 };
const HITS_OF_DESCRIPTOR: IntegerField = { name: "hitsAddend", most: MOST_UINT64 };
const REQUESTS: IntegerField = { name: "requestsPerUnit", most: MOST_UINT32 };

function whole(value: JsonInteger | undefined, { name, most }: IntegerField): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = Number(value);
  if (number <= most) return number;
  throw badField(`Found ${display(value)} as ${name}, expected at most ${most}`);
}

function badField(detail: string): RequestError {
  return new RequestError({ status: 400, code: "bad-field", detail });
}
