/** Every field of the rule files and of the messages, as those of envoyproxy/ratelimit are. */
import type * as grpc from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { createService, parseRules } from "../../../src/index.ts";
import { call, clientOf, serveRls } from "./grpc-transport.ts";

/** What is legal there, and where; all of it in one file. */
const FILE = {
  domain: "shop",
  descriptors: [
    {
      key: "tenant",
      value: "acme-*",
      share_threshold: true,
      value_to_metric: true,
      metadata: { tier: "gold", numbers: [1, true, null, { deep: "yes" }] },
      rate_limit: { name: "per tenant", unit: "MINUTE", requests_per_unit: 5 },
      descriptors: [
        { key: "user", detailed_metric: true, rate_limit: { unit: "week", requests_per_unit: 7 } },
      ],
    },
    { key: "staff", shadow_mode: true, rate_limit: { unit: "year", requests_per_unit: 0 } },
    { key: "credit", quota_mode: true, rate_limit: { unit: "month", requests_per_unit: 9 } },
    {
      key: "partner",
      rate_limit: { unlimited: true, replaces: [{ name: "per tenant" }] },
    },
  ],
};
const LEGAL = [
  ...["domain", "descriptors", "key", "value", "rate_limit", "shadow_mode", "quota_mode"],
  ...["detailed_metric", "value_to_metric", "share_threshold", "metadata", "unit", "name"],
  ...["requests_per_unit", "unlimited", "replaces"],
];

it("a rule file with every field is understood, without a warning", () => {
  const text = stringify(FILE);
  for (const name of LEGAL) expect(text).toMatch(new RegExp(`\\b${name}:`));
  expect(parseRules([{ name: "rules.yaml", text }]).warnings).toEqual([]);
});

const entries = (...pairs: readonly string[]) =>
  pairs.map((pair) => {
    const [key = "", value = ""] = pair.split("=");
    return { key, value };
  });

it("a client of gRPC is answered every field of a message, for every field that it sends", async () => {
  const rules = parseRules([{ name: "rules.yaml", text: stringify(FILE) }]);
  const names = { limit: "x-limit", remaining: "x-left", reset: "x-reset" };
  const envoy = { responseHeaders: names, dynamicMetadata: true };
  const server = await serveRls({ service: createService({ rules }), envoy });
  const client: grpc.Client = clientOf(server);
  const ask = (descriptors: readonly object[], more: object = {}) =>
    call(client, { domain: "shop", descriptors, ...more });
  try {
    const answer = await ask(
      [
        { entries: entries("tenant=acme-1"), hitsAddend: { value: 2 } },
        { entries: entries("a=b"), limit: { requestsPerUnit: 8, unit: 4 } },
        { entries: entries("staff=x") },
      ],
      { hitsAddend: 3 },
    );
    expect(answer).toMatchObject({
      overallCode: "OK",
      statuses: [
        {
          code: "OK",
          currentLimit: { requestsPerUnit: 5, unit: "MINUTE", name: "per tenant" },
          limitRemaining: 3,
        },
        { code: "OK", currentLimit: { requestsPerUnit: 8, unit: "DAY" }, limitRemaining: 5 },
        { code: "OK", currentLimit: { unit: "YEAR" } },
      ],
    });
    const [first] = answer.statuses as readonly { readonly durationUntilReset?: unknown }[];
    expect(first?.durationUntilReset).toBeDefined();
    const text = JSON.stringify(answer);
    for (const part of ["x-limit", "x-left", "x-reset", "gold", "deep"])
      expect(text).toContain(part);
    // What was taken is given back; the wildcard's budget is one for all its values.
    await ask([
      { entries: entries("tenant=acme-2"), hitsAddend: { value: 1 }, isNegativeHits: true },
    ]);
    const after = await ask([{ entries: entries("tenant=acme-3"), hitsAddend: { value: 4 } }]);
    expect(after).toMatchObject({ overallCode: "OK", statuses: [{ code: "OK" }] });
    const over = await ask([{ entries: entries("tenant=acme-4") }]);
    expect(over).toMatchObject({ overallCode: "OVER_LIMIT", statuses: [{ code: "OVER_LIMIT" }] });
    const replaced = await ask([
      { entries: entries("tenant=acme-4") },
      { entries: entries("partner=p") },
    ]);
    expect(replaced).toMatchObject({ overallCode: "OK" });
  } finally {
    client.close();
    await server.close();
  }
});
