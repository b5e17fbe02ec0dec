/** Bytes and texts that nobody would send. fast-check prints the seed of a failure. */
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { parseRules, RulesError } from "../../../src/index.ts";
import { readRequest } from "../../../src/transports/envoy-rls/request.ts";

const PROTO = fileURLToPath(new URL("../../../proto/ratelimit.proto", import.meta.url));
const requestType = protobuf.loadSync(PROTO).lookupType("RateLimitRequest");

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const UNITS = ["UNKNOWN", "SECOND", "MINUTE", "HOUR", "DAY", "MONTH", "YEAR", "WEEK"] as const;
const request = fc.record({
  domain: text,
  hitsAddend: fc.nat(),
  descriptors: fc.array(
    fc.record({
      entries: fc.array(fc.record({ key: text, value: text }), { maxLength: 4 }),
      limit: fc.option(fc.record({ requestsPerUnit: fc.nat(), unit: fc.constantFrom(...UNITS) }), {
        nil: undefined,
      }),
      hitsAddend: fc.option(fc.nat(), { nil: undefined }),
      isNegativeHits: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

/** The bytes that protobuf's own library makes of a request. */
function bytesOf(message: typeof request extends fc.Arbitrary<infer M> ? M : never): Buffer {
  const descriptors = message.descriptors.map(({ limit, hitsAddend, ...others }) => ({
    ...others,
    limit: limit && { ...limit, unit: UNITS.indexOf(limit.unit) },
    hitsAddend: hitsAddend === undefined ? undefined : { value: hitsAddend },
  }));
  return Buffer.from(
    requestType.encode(requestType.fromObject({ ...message, descriptors })).finish(),
  );
}

describe("a RateLimitRequest", () => {
  it("is read as protobuf's own library writes it", () => {
    fc.assert(
      fc.property(request, (message) => {
        expect(readRequest(bytesOf(message))).toEqual(message);
      }),
      { numRuns: 500 },
    );
  });

  it("of any bytes is read, or refused by an error", () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 });
    fc.assert(
      fc.property(request, changes, fc.nat(), (message, changed, cut) => {
        const bytes = bytesOf(message);
        for (const [place, value] of changed)
          if (bytes.length > 0) bytes[place % bytes.length] = value;
        const some = bytes.subarray(0, bytes.length - (cut % (bytes.length + 1)));
        try {
          expect(readRequest(some).descriptors.length).toBeLessThanOrEqual(some.length);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a rule file", () => {
  const word = fc.constantFrom(
    ...["domain", "descriptors", "key", "value", "rate_limit", "unit", "day", "kind", "*", "a*b"],
    ...["shadow_mode", "true", "requests_per_unit", "1", "replaces", "name", "metadata", "also"],
    ...["parent", ":", ": ", "- ", "\n", "\n  ", "\n    - ", "{", "}", "[", "]", ",", "&a ", "*a"],
    ...["'", '"', "#", "|", ">", "!!str ", "<<", "---\n", "\t", "\u0000", "\ud800", "é"],
  );

  it("of any words is read, or refused by its mistakes", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        try {
          parseRules([{ name: "rules.yaml", text: words.join("") }]);
        } catch (error) {
          expect(error).toBeInstanceOf(RulesError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
