/** From a RateLimitRequest of Envoy's to the request that the service takes. */
import { display, MOST_UNITS } from "spillway/core";
import type { Descriptor, LimitRequest } from "../../../service/index.ts";
import { RequestError } from "../request-error.ts";

/** A protobuf integer in JSON: a number, or its digits as a text. */
type Whole = number | string | null;
type EntryJson = { readonly key?: string | null; readonly value?: string | null };

type DescriptorJson = {
  readonly entries?: readonly EntryJson[] | null;
  readonly limit?: unknown;
  readonly hitsAddend?: Whole;
  readonly hits_addend?: Whole;
  readonly isNegativeHits?: boolean | null;
  readonly is_negative_hits?: boolean | null;
};

/** The body, as the schema lets it through. */
export type RateLimitRequest = {
  readonly domain?: string | null;
  readonly descriptors?: readonly DescriptorJson[] | null;
  readonly hitsAddend?: Whole;
  readonly hits_addend?: Whole;
};

const MOST_UINT32 = 2 ** 32 - 1;
const MOST_UINT64 = 2 ** 64;

/** Reads a request. @throws RequestError */
export function toLimitRequest(body: RateLimitRequest): LimitRequest {
  if (!body.domain) throw empty("empty-domain", "rate limit domain must not be empty");
  if (!body.descriptors?.length) {
    throw empty("empty-descriptors", "rate limit descriptor list must not be empty");
  }
  const hits = count(body.hitsAddend ?? body.hits_addend, MOST_UINT32);
  return { domain: body.domain, descriptors: body.descriptors.map(toDescriptor), count: hits || 1 };
}

function toDescriptor(json: DescriptorJson): Descriptor {
  if ((json.limit ?? null) !== null) throw notYet("A limit in the request");
  if (json.isNegativeHits ?? json.is_negative_hits) throw notYet("Giving hits back");
  const entries = (json.entries ?? []).map(({ key, value }) => ({
    key: key ?? "",
    value: value ?? "",
  }));
  return { entries, count: count(json.hitsAddend ?? json.hits_addend, MOST_UINT64) };
}

/** A number of hits. All above what any limit can hold are refused alike, so they may be one. */
function count(hits: Whole | undefined, most: number): number | undefined {
  if (hits === undefined || hits === null) return undefined;
  const units = Number(hits);
  if (units <= most) return Math.min(units, MOST_UNITS + 1);
  const detail = `Found ${display(hits)} as hitsAddend, expected at most ${most}`;
  throw new RequestError({ status: 400, code: "bad-field", detail });
}

function empty(code: "empty-domain" | "empty-descriptors", detail: string): RequestError {
  return new RequestError({ status: 400, code, detail });
}

function notYet(what: string): RequestError {
  const detail = `${what} is not supported yet; put the limit into a rule file`;
  return new RequestError({ status: 400, code: "not-supported-yet", detail });
}
