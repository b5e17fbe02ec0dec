import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cgroupThrottling } from "../../../src/shedding/signals/cgroup-throttling.ts";
import { cpuUtilization } from "../../../src/shedding/signals/cpu-utilization.ts";
import { eventLoopUtilization } from "../../../src/shedding/signals/event-loop-utilization.ts";
import { heapUtilization } from "../../../src/shedding/signals/heap-utilization.ts";

test("where the runtime counts nothing, signals tell nothing", () => {
  const nothing = () => undefined;
  const zeros = () => ({ idle: 0, active: 0 });
  const cpu = { cpuTimes: nothing, processors: nothing, elapsed: () => 0 };
  const uncounted = { ...cpu, cpuTimes: () => ({ user: 1, system: 1 }) };
  for (const signal of [
    eventLoopUtilization(nothing),
    eventLoopUtilization(zeros),
    cpuUtilization({}, cpu),
    cpuUtilization({}, uncounted),
    heapUtilization(nothing),
    heapUtilization(() => ({ used_heap_size: 0, heap_size_limit: 0 })),
    cgroupThrottling({}, nothing),
  ]) {
    expect([signal(), signal()]).toEqual([undefined, undefined]);
  }
});

test("processor time counts over wall time and processors, and a quota counts first", () => {
  const times = { user: 0, system: 0 };
  let now = 0;
  const source = { cpuTimes: () => ({ ...times }), processors: () => 4, elapsed: () => now };
  const [ofAll, ofHalf] = [cpuUtilization({}, source), cpuUtilization({ cpus: 0.5 }, source)];
  now = 1000;
  times.user = 300_000;
  times.system = 100_000;
  expect([ofAll(), ofHalf()]).toEqual([0.1, 0.8]);
  expect([ofAll(), ofHalf()]).toEqual([undefined, undefined]);
  now = 2000;
  expect([ofAll(), ofHalf()]).toEqual([0, 0]);
});

test("the processor and the heap of this process tell something", () => {
  const cpu = cpuUtilization();
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 20_000);
  expect(cpu()).toBeGreaterThan(0);
  expect(heapUtilization()()).toBeGreaterThan(0);
  expect(heapUtilization()()).toBeLessThan(1);
});

const V2 = (all: number, throttled: number) =>
  `usage_usec 5\nnr_periods ${all}\nnr_throttled ${throttled}\nthrottled_usec 7\n`;
const V1 = (all: number, throttled: number) =>
  `nr_periods ${all}\nnr_throttled ${throttled}\nthrottled_time 7\n`;

test.each([
  ["v2", V2],
  ["v1", V1],
])("throttling is the share of periods since the last read, of a %s file", async (_, stat) => {
  const folder = await mkdtemp(join(tmpdir(), "spillway-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "cpu.stat");
  const signal = cgroupThrottling({ path });
  const told: (number | undefined)[] = [signal()];
  for (const text of [stat(0, 0), stat(100, 50), stat(110, 59), stat(110, 59), stat(20, 0), "?"]) {
    await writeFile(path, text);
    told.push(signal());
  }
  // No file, no quota, the first reading, 9 of 10, none of none, another group's, no such line.
  expect(told).toEqual([undefined, undefined, undefined, 0.9, 0, undefined, undefined]);
});

test.each([
  ["a container's own view of v2", "0::/", "/sys/fs/cgroup/cpu.stat"],
  ["a service in v2", "0::/a.slice/b:1.service", "/sys/fs/cgroup/a.slice/b:1.service/cpu.stat"],
  ["v1", "5:cpuset:/x\n4:cpu,cpuacct:/d/1\n0::/", "/sys/fs/cgroup/cpu,cpuacct/d/1/cpu.stat"],
  ["a group without a quota", "0::/inner", "/sys/fs/cgroup/cpu.stat"],
  ["no /proc", undefined, "/sys/fs/cgroup/cpu/cpu.stat"],
])("the file is found in %s", (_, groups, place) => {
  const files = new Map([["/proc/self/cgroup", groups]]);
  files.set("/sys/fs/cgroup/inner/cpu.stat", V2(0, 0));
  const signal = cgroupThrottling({}, (path) => files.get(path));
  files.set(place, V2(10, 0));
  expect(signal()).toBeUndefined();
  files.set(place, V2(20, 3));
  expect(signal()).toBe(0.3);
});
