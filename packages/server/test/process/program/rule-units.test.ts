/** `rules`: units that are settled and given back are those that were taken. */
import { expect, it } from "vitest";
import type { RuleLimits } from "../../../src/index.ts";
import { opened, startNode } from "./rule-scene.ts";

/** Meets the limits a and b, of which a has no room. */
const QUOTAS = `
domain: shop
http:
  - actions: [{ generic_key: { descriptor_value: a } }]
  - actions: [{ generic_key: { descriptor_value: b } }]
descriptors:
  - key: generic_key
    value: a
    quota_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 1 }
  - key: generic_key
    value: b
    quota_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 100 }
`;

it("a quota without room receives no unit, and another is settled in its place", async () => {
  const limits = await opened(QUOTAS);
  const base = await startNode(limits, ({ spillway }) => spillway.settle(0, "shop/generic_key=a"));
  await fetch(base);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([1, 99]);
  const charging = await startNode(limits, () => undefined);
  await fetch(charging);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([0, 98]);
  await fetch(base);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([0, 97]);
  const settling = await startNode(limits, ({ spillway }) => spillway.settle(40));
  expect((await fetch(settling)).status).toBe(200);
  expect([await left(limits, "a"), await left(limits, "b")]).toEqual([0, 57]);
});

/** A rate below a concurrency limit that has less left, a limit in shadow, and quotas. */
const RETURNED = `
domain: shop
http:
  - actions: [{ generic_key: { descriptor_value: below } }, { method: {} }]
  - actions: [{ generic_key: { descriptor_value: tried } }]
  - actions: [{ generic_key: { descriptor_value: full } }]
  - actions: [{ generic_key: { descriptor_value: b } }]
descriptors:
  - key: generic_key
    value: below
    rate_limit: { kind: concurrency, capacity: 5, ttl: 60s }
    descriptors:
      - key: method
        rate_limit: { kind: token bucket, unit: day, requests_per_unit: 50, also: parent }
  - key: generic_key
    value: tried
    shadow_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 50 }
  - key: generic_key
    value: full
    quota_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 1 }
  - key: generic_key
    value: b
    quota_mode: true
    rate_limit: { kind: token bucket, unit: day, requests_per_unit: 50 }
`;

it("units that are given back are those that were taken, of limits in shadow too", async () => {
  const limits = await opened(RETURNED);
  const method = { key: "method", value: "GET" };
  const now = () =>
    Promise.all([
      left(limits, "below", [method]),
      left(limits, "tried"),
      left(limits, "full"),
      left(limits, "b"),
    ]);
  const request = requestOf("/");
  // The last unit of the quota "full".
  const first = await found(limits, request);
  first.end?.();
  expect(await now()).toEqual([5, 49, 0, 49]);
  const second = await found(limits, request);
  second.end?.();
  await second.giveBack();
  expect(await now()).toEqual([5, 49, 0, 49]);
  expect(await rateLeft(limits, method)).toBe(49);
});

it("units of an answer that comes too late are given back", async () => {
  const limits = await opened(RETURNED);
  const gate = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const take = async (request: Parts) => {
    await gate.promise;
    const units = await found(limits, request);
    const giveBack = async () => {
      await units.giveBack();
      over.resolve();
    };
    return { ...units, giveBack };
  };
  const base = await startNode({ ...limits, take }, () => undefined, { timeout: 1 });
  expect((await fetch(base)).status).toBe(503);
  gate.resolve();
  await over.promise;
  expect([await left(limits, "tried"), await left(limits, "b")]).toEqual([50, 50]);
});

/** The units left of a limit by its generic key. */
async function left(
  { service }: RuleLimits,
  value: string,
  more: readonly { key: string; value: string }[] = [],
): Promise<number | undefined> {
  const entries = [{ key: "generic_key", value }, ...more];
  const { values } = await service.value({ domain: "shop", descriptors: [{ entries }] });
  return values[0]?.remaining;
}

/** The units left of the rate below a concurrency limit, which has less. */
async function rateLeft({ service }: RuleLimits, method: { key: string; value: string }) {
  const entries = [{ key: "generic_key", value: "below" }, method];
  const { values } = await service.ownValue({ domain: "shop", descriptors: [{ entries }] });
  return values[0]?.remaining;
}

type Parts = Parameters<RuleLimits["take"]>[0];

function requestOf(target: string): Parts {
  const address = "192.0.2.1";
  const parts = { method: "GET", target, host: "", header: () => undefined };
  return { ...parts, address, network: () => address } as never;
}

async function found(limits: RuleLimits, request: Parts) {
  const units = await limits.take(request);
  if (units === undefined || "problem" in units) throw new Error("expected units");
  return units;
}
