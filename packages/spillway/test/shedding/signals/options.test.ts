import { expect, test } from "vitest";
import { cgroupThrottling } from "../../../src/shedding/signals/cgroup-throttling.ts";
import { cpuUtilization } from "../../../src/shedding/signals/cpu-utilization.ts";
import { eventLoopDelay } from "../../../src/shedding/signals/event-loop-delay.ts";
import { highest } from "../../../src/shedding/signals/highest.ts";
import { smoothed } from "../../../src/shedding/signals/smoothed.ts";

const wrong = (value: unknown) => value as never;

test.each([
  [() => eventLoopDelay({ limit: 0 }), "limit", 0],
  [() => eventLoopDelay({ limit: wrong("50") }), "limit", "50"],
  [() => eventLoopDelay({ limit: Number.POSITIVE_INFINITY }), "limit", Number.POSITIVE_INFINITY],
  [() => eventLoopDelay(wrong(undefined)), "options", undefined],
  [() => cpuUtilization({ cpus: -1 }), "cpus", -1],
  [() => cgroupThrottling({ path: "" }), "path", ""],
  [() => cgroupThrottling({ path: wrong(1) }), "path", 1],
  [() => smoothed(() => 1, { weight: 0 }), "weight", 0],
  [() => smoothed(() => 1, { weight: 1.1 }), "weight", 1.1],
  [() => smoothed(wrong(1), { weight: 1 }), "signal", 1],
  [() => highest(() => 1, wrong("cpu")), "signal", "cpu"],
  [() => highest(), "signals", "an empty array"],
])("options that are none are refused: %s", (make, field, value) => {
  expect(make).toThrow(expect.objectContaining({ code: "bad-option", field, value }));
});

test.each([
  [() => eventLoopDelay(wrong({ limit: 1, limits: 1 })), "limits"],
  [() => cpuUtilization(wrong({ cpu: 1 })), "cpu"],
  [() => cgroupThrottling(wrong({ file: "x" })), "file"],
  [() => smoothed(() => 1, wrong({ weight: 1, wait: 1 })), "wait"],
])("unknown options are refused: %s", (make, field) => {
  expect(make).toThrow(expect.objectContaining({ code: "unknown-field", field }));
});
