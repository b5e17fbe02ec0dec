import { badOption, checkOptions } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { readText } from "./host.ts";
import { type CounterInterval, sinceLast } from "./since-last.ts";

export type CgroupOptions = {
  /** The `cpu.stat` to read. By default: that of this process's own group, or of the container. */
  readonly path?: string;
};

/** A file's text, or undefined where there is none. */
export type ReadText = (path: string) => string | undefined;

/** Since the group was made: periods in which it wanted to run, and in which it was stopped. */
type Periods = { readonly all: number; readonly throttled: number };

const ROOT = "/sys/fs/cgroup";

/**
 * The share of scheduler periods in which Linux stopped this container: 0 to 1.
 *
 * For containers with a processor quota: they are late while other signals call them half idle. A
 * period is 100 ms as a rule. Read from `cpu.stat` of cgroup v2 or v1, a small file, synchronously.
 * Each read ends a window: one reader, about once a second. Not without a quota: it is undefined
 * there, and where there is no such file.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function cgroupThrottling(options: CgroupOptions = {}, read: ReadText = readText): Signal {
  checkOptions("cgroupThrottling", options, ["path"]);
  const { path } = options;
  if (path !== undefined && (typeof path !== "string" || path === "")) {
    throw badOption("path", path, "the path of a cpu.stat");
  }
  const places = path === undefined ? likelyPlaces(read) : [path];
  let found: string | undefined;
  return sinceLast(() => {
    // Looked for until it is found: in a container just started, no period may have passed yet.
    found ??= places.find((place) => periodsIn(read(place)) !== undefined);
    return found === undefined ? undefined : periodsIn(read(found));
  }, throttledShare);
}

/** The group's own folder; then the top, which is the container's own where it sees no other. */
function likelyPlaces(read: ReadText): string[] {
  const groups = [...(read("/proc/self/cgroup") ?? "").matchAll(/^\d+:(.*?):\/?(.*)$/gm)];
  const own = groups.map(([, controllers = "", group]) => `${controllers}/${group}/`);
  const cpu = own.filter((folder) => /^\/|^cpu\b|,cpu[,/]/.test(folder));
  return [...cpu, "/", "cpu/", "cpu,cpuacct/"].map((folder) =>
    `${ROOT}/${folder}cpu.stat`.replace(/\/{2,}/g, "/"),
  );
}

/** Undefined without a quota: the kernel then counts no periods, or leaves the lines out. */
function periodsIn(text: string | undefined): Periods | undefined {
  const all = Number(/^nr_periods (\d+)$/m.exec(text ?? "")?.[1] ?? 0);
  const throttled = Number(/^nr_throttled (\d+)$/m.exec(text ?? "")?.[1] ?? Number.NaN);
  return all > 0 && throttled >= 0 ? { all, throttled } : undefined;
}

function throttledShare({ before, now }: CounterInterval<Periods>): number | undefined {
  const all = now.all - before.all;
  const throttled = now.throttled - before.throttled;
  // Less than before: it is another group's file by now.
  if (all < 0 || throttled < 0) return undefined;
  // No period: nothing wanted to run, so nothing was stopped.
  return all === 0 ? 0 : throttled / all;
}
