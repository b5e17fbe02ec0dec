/** What happens while the arithmetic of a store that answers, and ours, disagree. */
import { expect } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Limits, Store } from "../../src/limits/core/index.ts";
import type { StoreEvent } from "../../src/stores/index.ts";
import { until } from "../servers/until.ts";

const LIMITS = {
  open: { kind: "token bucket", rate: 50, period: "366d", whenUnavailable: "open" },
  local: { kind: "token bucket", rate: 50, period: "366d", whenUnavailable: "local" },
  jobs: { kind: "concurrency", capacity: 5, ttl: "1d", whenUnavailable: "open" },
} as const satisfies Limits;

/** A store, what it has told, and how it is made to miscount, or to count well. */
export type Disagreeing = {
  readonly store: Store<"later">;
  readonly events: readonly StoreEvent[];
  readonly miscounts: (doesSo: boolean) => unknown;
};

/** Nothing is admitted for it, no breaker opens, and no lease is granted to nobody. */
export async function expectSafe({ store, events, miscounts }: Disagreeing): Promise<void> {
  const limiter = new RateLimiter(LIMITS, { store });
  await limiter.acquire("jobs", { key: "warm" });
  const refused = { ok: false, reason: "unavailable", remaining: 0, degraded: true };
  await miscounts(true);
  for (let n = 0; n < 20; n++) {
    expect(await limiter.limit("open", { key: "k" })).toMatchObject(refused);
    expect(await limiter.limit("local", { key: "k" })).toMatchObject(refused);
  }
  const all = [{ limit: "open" }, { limit: "jobs", key: "k" }] as const;
  expect(await limiter.limitAll(all)).toMatchObject({ ...refused, lease: undefined });
  const leases = await Promise.all(
    Array.from({ length: 5 }, () => limiter.acquire("jobs", { key: "k" })),
  );
  for (const lease of leases) expect(lease).toMatchObject(refused);
  await miscounts(false);
  await until(async () => (await limiter.value("jobs", { key: "k" })).remaining === 5, {
    what: "leases of asks that were refused are given back",
  });
  expect(await limiter.limit("open", { key: "other" })).toMatchObject({ ok: true, remaining: 49 });
  expectTold(events);
}

function expectTold(events: readonly StoreEvent[]): void {
  const types = new Set(events.map(({ type }) => type));
  expect(types).toEqual(new Set(["disagreed", "degraded"]));
  const [first] = events.filter(({ type }) => type === "disagreed");
  expect(first).toMatchObject({ calls: 1, error: { name: "PortError" } });
  expect(events.every((event) => event.type !== "degraded" || !event.ok)).toBe(true);
}
