import { manualClock, seededRandom } from "spillway/testing";
import { expect, test } from "vitest";
import {
  type Admission,
  type FleetShedderOptions,
  fleetShedder,
  type Priority,
  type ShedderEvent,
} from "../../src/shedding/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";

function fresh(options: Partial<FleetShedderOptions> = {}) {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const events: ShedderEvent[] = [];
  const onEvent = (event: ShedderEvent) => events.push(event);
  const make = () =>
    fleetShedder({ store, capacity: 10, random: seededRandom(1), onEvent, ...options });
  return { clock, events, make, shedder: make() };
}

/** Asks until it is refused. */
function fill({ shedder }: Pick<ReturnType<typeof fresh>, "shedder">, priority: Priority) {
  const admitted: Admission[] = [];
  for (;;) {
    const admission = shedder.admit({ priority }) as Admission;
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
  expect(refusal.retryAfter).toBe(60_000);
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

test.for([
  [{ shares: { critical: 1.1 } }, "bad-share", "shares.critical"],
  [{ shares: { normal: 0.3, low: 0.5 } }, "bad-share", "shares.low"],
  [{ shares: { low: Number.NaN } }, "bad-share", "shares.low"],
  [{ shares: { low: -0.1 } }, "bad-share", "shares.low"],
  [{ shares: { hight: 1 } }, "unknown-field", "hight"],
  [{ capacity: 0 }, "bad-option", "capacity"],
  [{ ttl: 0.5 }, "bad-ttl", "ttl"],
  [{ store: {} }, "bad-store", "store"],
  [{ whenUnavailable: "maybe" }, "bad-option", "whenUnavailable"],
] as const)("settings are checked when it is made: %o", ([options, code, field]) => {
  const make = () => fresh(options as Partial<FleetShedderOptions>);
  expect(make).toThrow(expect.objectContaining({ code, field }));
});
