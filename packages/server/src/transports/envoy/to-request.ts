/** Converts Envoy's RateLimitRequest to the service's request. */
import { MOST_UNITS } from "spillway/support";
import { unitNamed } from "../../rules/index.ts";
import {
  type Descriptor,
  type GivenLimit,
  type LimitRequest,
  RequestError,
} from "../../service/index.ts";
import type { DescriptorMessage, LimitMessage, RequestMessage } from "./message.ts";

/** Converts a message. @throws RequestError */
export function toLimitRequest(message: RequestMessage): LimitRequest {
  const { domain, descriptors, hitsAddend } = message;
  if (domain === "") throw empty("empty-domain", "rate limit domain must not be empty");
  if (descriptors.length === 0) {
    throw empty("empty-descriptors", "rate limit descriptor list must not be empty");
  }
  return { domain, descriptors: descriptors.map(toDescriptor), count: bounded(hitsAddend) || 1 };
}

function toDescriptor(message: DescriptorMessage): Descriptor {
  const { entries, limit, hitsAddend, isNegativeHits } = message;
  return {
    entries,
    count: hitsAddend === undefined ? undefined : bounded(hitsAddend),
    refund: isNegativeHits,
    limit: limit && givenLimit(limit),
  };
}

/** A number of hits above the largest limit is always refused, so all such numbers become one. */
function bounded(hits: number): number {
  return Math.min(hits, MOST_UNITS + 1);
}

/**
 * A limit above the largest possible one is replaced by it, but is reported as given.
 */
function givenLimit({ requestsPerUnit, unit }: LimitMessage): GivenLimit {
  const period = unitNamed(unit);
  if (period !== undefined) return { rate: Math.min(requestsPerUnit, MOST_UNITS), period };
  throw badField(`Found the unit ${unit} in a descriptor's limit, expected SECOND to YEAR`);
}

function empty(code: "empty-domain" | "empty-descriptors", detail: string): RequestError {
  return new RequestError({ status: 400, code, detail });
}

function badField(detail: string): RequestError {
  return new RequestError({ status: 400, code: "bad-field", detail });
}
