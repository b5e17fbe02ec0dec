/** Bodies that nobody would send, on every route that takes one. fast-check prints the seed of a failure. */
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer, createService } from "../../../src/index.ts";
import { rulesOf } from "../../support/rules.ts";

const RULES = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: day, requests_per_unit: 5, max_reserved: 10 }
  - key: report
    rate_limit: { kind: concurrency, capacity: 1, ttl: 30s }
`;
const RUNS = 120 * Number(process.env.SPILLWAY_RUNS ?? 1);

let app: FastifyInstance;
const warnings: string[] = [];
// Of a server that does not listen, guarded calls need it.
const adminToken = "0123456789abcdef";
beforeAll(async () => {
  const service = createService({ rules: rulesOf(RULES) });
  const warn = (message: string) => warnings.push(message);
  app = await createServer({ service, adminToken, quiet: 0, warn });
});
afterAll(() => app.close());

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>("shop", "user", "report", "ann", "limit", "", "A".repeat(22), 0, 1, 5),
    fc.constantFrom<unknown>(-1, 0.5, 1e21, 2 ** 53, null, true, "\ud800", "__proto__"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("key", "value", "entries", "__proto__", "id"), tie("value")),
  ),
})).value;

/** A right body, of which some parts are something else. */
function nearly(body: object): fc.Arbitrary<object> {
  const fields = Object.entries(body).map(([name, right]) => {
    const inside =
      Array.isArray(right) && typeof right[0] === "object"
        ? fc.array(nearly(right[0]), { minLength: 1, maxLength: 2 })
        : typeof right === "object" && !Array.isArray(right)
          ? nearly(right)
          : fc.constant(right);
    return [name, fc.oneof({ weight: 6, arbitrary: inside }, { weight: 1, arbitrary: value })];
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

const entries = [{ key: "user", value: "ann" }];
const descriptors = [{ entries, count: 1, reserve: true }];
const keys = { domain: "shop", descriptors: [{ entries }] };
const ROUTES: Readonly<Record<string, object>> = {
  "/v1/limit": { domain: "shop", descriptors, count: 1, reserve: false },
  "/v1/check": { domain: "shop", descriptors },
  "/v1/acquire": { domain: "shop", descriptors: [{ entries: [{ key: "report", value: "a" }] }] },
  "/v1/renew": { ...keys, lease: "A".repeat(22) },
  "/v1/release": { ...keys, lease: "A".repeat(22) },
  "/v1/value": keys,
  "/v1/settle": { domain: "shop", descriptors: [{ entries, reserved: 2, used: 1 }] },
  "/v1/block": { ...keys, for: 1000 },
  "/v1/unblock": keys,
  "/v1/reset": keys,
  "/v1/commands": {
    prefix: "p",
    limits: [{ name: "a", limit: { kind: "token bucket", rate: 5, period: 1000, capacity: 9 } }],
    commands: [
      {
        verb: "limit",
        budgets: [{ limit: 0, key: "k", count: 1, reserve: false, lease: { id: 1, headroom: 0 } }],
        lease: { id: 1, count: 1 },
        settlement: { reserved: 2, used: 1 },
        ms: 1000,
      },
    ],
  },
  "/json": {
    domain: "shop",
    hitsAddend: 1,
    descriptors: [
      {
        entries,
        hitsAddend: "2",
        isNegativeHits: false,
        limit: { requestsPerUnit: 5, unit: "DAY" },
      },
    ],
  },
};

const EXPECTED = new Set([200, 400, 404, 429]);

describe("a body of anything", () => {
  it.each(Object.entries(ROUTES))("is answered, or refused as a mistake: %s", async (url, body) => {
    const authorization = `Bearer ${adminToken}`;
    const headers = { host: "localhost", "content-type": "application/json", authorization };
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: nearly(body) }, value), async (sent) => {
        const payload = JSON.stringify(sent);
        const answer = await app.inject({ method: "POST", url, payload, headers });
        statuses.add(answer.statusCode);
        expect(EXPECTED, payload).toContain(answer.statusCode);
        if (answer.statusCode === 400) expect(answer.json().code).toMatch(/^[a-z-]+$/);
      }),
      { numRuns: RUNS },
    );
    // Both happen, or nothing was tried.
    expect(statuses).toContain(400);
    const right = await app.inject({ method: "POST", url, payload: JSON.stringify(body), headers });
    expect([200, 400, 429]).toContain(right.statusCode);
    expect(warnings).toEqual([]);
  });
});
