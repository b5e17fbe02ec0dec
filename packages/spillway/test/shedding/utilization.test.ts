import { seededRandom } from "spillway/testing";
import { expect, test } from "vitest";
import {
  PRIORITIES,
  type ShedderEvent,
  type UtilizationShedderOptions,
  utilizationShedder,
} from "../../src/shedding/index.ts";
import { ManualScheduler } from "./manual-scheduler.ts";

function fresh(options: UtilizationShedderOptions = {}) {
  const scheduler = new ManualScheduler();
  const events: ShedderEvent[] = [];
  const shedder = utilizationShedder({
    scheduler,
    clock: () => 0,
    random: seededRandom(1),
    signal: () => 1,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { scheduler, events, shedder };
}

/** Asks as often for each priority, every tenth of a second, for some seconds; tells what stayed. */
function drive({ scheduler, shedder }: ReturnType<typeof fresh>, seconds: number) {
  const admitted = new Map(PRIORITIES.map((priority) => [priority, 0]));
  for (let step = 0; step < seconds * 10; step++) {
    for (const priority of PRIORITIES) {
      using admission = shedder.admit({ priority });
      if (admission.ok) admitted.set(priority, (admitted.get(priority) as number) + 1);
    }
    scheduler.burn(100);
  }
  return PRIORITIES.map((priority) => (admitted.get(priority) as number) / (seconds * 10));
}

test("after 28 seconds it begins, and after two minutes more all but what is critical is gone", () => {
  const all = fresh();
  expect(drive(all, 28)).toEqual([1, 1, 1, 1]);
  const [critical, normal, low = 1, background = 1] = drive(all, 40);
  expect([critical, normal, low]).toEqual([1, 1, 1]);
  expect(background).toBeLessThan(0.7);
  drive(all, 80);
  expect(drive(all, 10)).toEqual([1, 0, 0, 0]);
  expect(all.shedder.stats()).toMatchObject({ share: 0, inFlight: 0 });
  expect(all.events.filter(({ type }) => type === "overloaded")).toHaveLength(1);
});

test("it stays between the thresholds, and takes two minutes back", () => {
  let utilization = 1;
  const all = fresh({ signal: () => utilization });
  drive(all, 28 + 60);
  const { share } = all.shedder.stats();
  utilization = 0.75;
  drive(all, 100);
  expect(all.shedder.stats().share).toBe(share);
  utilization = 0;
  drive(all, 61);
  expect(all.shedder.stats().share).toBe(1);
  expect(drive(all, 10)).toEqual([1, 1, 1, 1]);
  expect(all.events.at(-1)).toMatchObject({ type: "recovered", shedder: "utilization" });
});

test("a signal that fails sheds nobody", () => {
  const all = fresh({ signal: () => Number.POSITIVE_INFINITY });
  expect(drive(all, 300)).toEqual([1, 1, 1, 1]);
  expect(all.events.map(({ type }) => type)).toEqual(["signal failed"]);
});

test("health checks are never refused, and in shadow nothing is", () => {
  const all = fresh({ grace: 0, span: 1 });
  drive(all, 10);
  expect(all.shedder.admit({ priority: "background" })).toMatchObject({
    ok: false,
    reason: "shed",
  });
  expect(all.shedder.admit({ priority: "background", exempt: true })).toMatchObject({ ok: true });
  const shadow = fresh({ grace: 0, span: 1, shadow: true });
  expect(drive(shadow, 10)).toEqual([1, 1, 1, 1]);
  expect(shadow.shedder.stats().shed.background).toBeGreaterThan(50);
});

test.for([
  [{ lowWatermark: 0.9, highWatermark: 0.8 }, "highWatermark"],
  [{ lowWatermark: 0 }, "lowWatermark"],
  [{ highWatermark: 1 }, "highWatermark"],
  [{ grace: -1 }, "grace"],
  [{ span: 0 }, "span"],
  [{ window: Number.NaN }, "window"],
  [{ signal: 0.5 }, "signal"],
  [{ graze: 1 }, "graze"],
] as const)("settings are checked when it is made: %o", ([options, field]) => {
  expect(() => utilizationShedder(options as never)).toThrow(expect.objectContaining({ field }));
});
