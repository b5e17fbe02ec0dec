import { manualClock, seededRandom } from "spillway/testing";
import { expect, test } from "vitest";
import type { Reason, Store } from "../../src/limits/core/index.ts";
import {
  type Admission,
  type FleetShedderOptions,
  fleetShedder,
  PRIORITIES,
  type Priority,
  type ShedderEvent,
} from "../../src/shedding/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";

function fresh(options: Partial<FleetShedderOptions<"now">> = {}) {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const events: ShedderEvent[] = [];
  const onEvent = (event: ShedderEvent) => events.push(event);
  const make = () =>
    fleetShedder({ store, capacity: 10, random: seededRandom(1), onEvent, ...options });
  return { clock, events, make, shedder: make() };
}

/** A shedder before a remote store that refuses everything, for one reason. */
function fromAfar(reason: Reason, options: Partial<FleetShedderOptions<"later">> = {}) {
  const numbers = { limit: "fleet", capacity: 10, remaining: 0, retryAfter: 7, resetAfter: 7 };
  const degraded = reason === "unavailable" ? (true as const) : undefined;
  const limit = async () => ({ ok: false, ...numbers, reason, degraded });
  const store: Store<"later"> = Object.assign(Object.create(memoryStore()), {
    timing: "later",
    limit,
  });
  const events: ShedderEvent[] = [];
  const onEvent = (event: ShedderEvent) => events.push(event);
  return { events, shedder: fleetShedder({ store, capacity: 10, onEvent, ...options }) };
}

/** Asks until it is refused. */
function fill({ shedder }: Pick<ReturnType<typeof fresh>, "shedder">, priority: Priority) {
  const admitted: Admission[] = [];
  for (;;) {
    const admission = shedder.admit({ priority });
    if (!admission.ok) return { admitted, refusal: admission };
    admitted.push(admission);
  }
}

test("each priority gets in as far as its share, and leaves the rest to what matters more", () => {
  const all = fresh();
  expect(fill(all, "background").admitted).toHaveLength(4);
  expect(fill(all, "low").admitted).toHaveLength(2);
  expect(fill(all, "normal").admitted).toHaveLength(2);
  const { admitted, refusal } = fill(all, "critical");
  expect(admitted).toHaveLength(2);
  expect(refusal).toMatchObject({ ok: false, limit: "fleet", reason: "shed", capacity: 10 });
  expect(refusal.retryAfter).toBeGreaterThanOrEqual(1000);
  expect(refusal.retryAfter).toBeLessThanOrEqual(2000);
  expect(refusal.resetAfter).toBe(60_000);
  admitted[0]?.done();
  expect(all.shedder.admit({ priority: "normal" })).toMatchObject({ ok: false });
  expect(all.shedder.admit({ priority: "critical" })).toMatchObject({ ok: true, remaining: 0 });
  expect(all.shedder.stats()).toMatchObject({ inFlight: 10, capacity: 10 });
  expect(all.events).toContainEqual({
    type: "shed",
    shedder: "fleet",
    priority: "normal",
    cause: "in flight",
    shadow: false,
  });
});

test("processes with one store share one fleet, and one that died is forgotten", () => {
  const all = fresh();
  fill(all, "critical");
  const other = all.make();
  expect(other.admit({ priority: "critical" })).toMatchObject({ ok: false });
  all.clock.advance(60_000);
  expect(fill({ shedder: other }, "critical").admitted).toHaveLength(10);
});

test("an idle fleet serves everybody, however small it is", () => {
  for (const priority of PRIORITIES) {
    const all = fresh({ capacity: 1 });
    const { admitted, refusal } = fill(all, priority);
    expect(admitted).toHaveLength(1);
    expect(refusal.retryAfter).toBeLessThanOrEqual(2000);
  }
});

test("shares can be set, and a share of 0 keeps a priority out", () => {
  const all = fresh({ shares: { normal: 0.5, low: 0.5, background: 0 } });
  expect(fill(all, "background").admitted).toHaveLength(0);
  expect(fill(all, "low").admitted).toHaveLength(5);
  expect(fill(all, "normal").admitted).toHaveLength(0);
  expect(fill(all, "critical").admitted).toHaveLength(5);
});

test("health checks are never refused, and in shadow nothing is", () => {
  const all = fresh();
  fill(all, "critical");
  expect(all.shedder.admit({ exempt: true })).toMatchObject({ ok: true });
  const shadow = fresh({ shadow: true });
  for (let ask = 0; ask < 30; ask++) {
    expect(shadow.shedder.admit({ priority: "low" })).toMatchObject({ ok: true });
  }
  expect(shadow.shedder.stats()).toMatchObject({ shed: { low: 24 }, inFlight: 6 });
});

test("a store that gives no answer is no overload, whatever is then answered", async () => {
  const closed = fromAfar("unavailable", { whenUnavailable: "closed" });
  expect(await closed.shedder.admit({ priority: "low" })).toMatchObject({
    ok: false,
    reason: "unavailable",
    degraded: true,
    resetAfter: 7,
  });
  expect(closed.events).toEqual([expect.objectContaining({ type: "shed", cause: "unavailable" })]);
  const blocked = fromAfar("blocked");
  expect(await blocked.shedder.admit()).toMatchObject({ ok: false, reason: "blocked" });
  expect(blocked.events).toEqual([expect.objectContaining({ cause: "blocked" })]);
  const full = fromAfar("limited");
  expect(await full.shedder.admit()).toMatchObject({ ok: false, reason: "shed" });
  expect(full.events).toEqual([expect.objectContaining({ cause: "in flight" })]);
});

test("a store that answers later is waited for, but not in shadow", async () => {
  const refusal = fromAfar("limited").shedder.admit();
  expect(refusal).toBeInstanceOf(Promise);
  const { shedder } = fromAfar("limited", { shadow: true });
  expect(shedder.admit()).toMatchObject({ ok: true });
});

test.for([
  [{ shares: { critical: 1.1 } }, "bad-share", "shares.critical"],
  [{ shares: { normal: 0.3, low: 0.5 } }, "bad-share", "shares.low"],
  [{ shares: { low: Number.NaN } }, "bad-share", "shares.low"],
  [{ shares: { low: -0.1 } }, "bad-share", "shares.low"],
  [{ shares: { hight: 1 } }, "unknown-field", "hight"],
  [{ capacity: 0 }, "bad-option", "capacity"],
  [{ ttl: 0.5 }, "bad-ttl", "ttl"],
  [{ store: {} }, "bad-store", "store"],
  [{ store: undefined }, "bad-store", "store"],
  [{ whenUnavailable: "maybe" }, "bad-option", "whenUnavailable"],
] as const)("settings are checked when it is made: %o", ([options, code, field]) => {
  const make = () => fresh(options as Partial<FleetShedderOptions<"now">>);
  expect(make).toThrow(expect.objectContaining({ code, field }));
});
