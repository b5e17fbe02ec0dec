import { badOption, checkOptions } from "../../internal/index.ts";
import type { Signal } from "../signal.ts";
import { readText } from "./host.ts";
import { type CounterInterval, sinceLast } from "./since-last.ts";

export type CgroupOptions = {
  /** The `cpu.stat` to read. Default: that of this process's own group, or of the container. */
  readonly path?: string;
};

/** Returns a file's text; undefined if there is no such file. */
export type ReadText = (path: string) => string | undefined;

/**
 * Counts since the group was created: periods in which it wanted to run, and in which it was
 * stopped.
 */
type Periods = { readonly all: number; readonly throttled: number };

const ROOT = "/sys/fs/cgroup";

/**
 * Creates a signal: the share of scheduler periods in which Linux stopped this container, 0 to 1.
 *
 * For containers with a processor quota: they can be late while other signals show them half idle.
 * A period is usually 100 ms. Each read opens `cpu.stat` of cgroup v2 or v1, a small file,
 * synchronously. Each read ends a window, so use one reader, about once a second. Not for
 * containers without a quota: there, and if the file is missing, it returns undefined.
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
    // Searched on each read until found, because in a new container no period may have passed yet.
    found ??= places.find((place) => periodsIn(read(place)) !== undefined);
    return found === undefined ? undefined : periodsIn(read(found));
  }, throttledShare);
}

/**
 * Returns the paths to try: the group's own, then the top one. The top one is the container's own
 * if the container sees no other group.
 */
function likelyPlaces(read: ReadText): string[] {
  const groups = [...(read("/proc/self/cgroup") ?? "").matchAll(/^\d+:(.*?):\/?(.*)$/gm)];
  const own = groups.map(([, controllers = "", group]) => `${controllers}/${group}/`);
  const cpu = own.filter((folder) => /^\/|^cpu\b|,cpu[,/]/.test(folder));
  return [...cpu, "/", "cpu/", "cpu,cpuacct/"].map((folder) =>
    `${ROOT}/${folder}cpu.stat`.replace(/\/{2,}/g, "/"),
  );
}

/** Returns undefined without a quota: the kernel then counts no periods, or omits the lines. */
function periodsIn(text: string | undefined): Periods | undefined {
  const all = Number(/^nr_periods (\d+)$/m.exec(text ?? "")?.[1] ?? 0);
  const throttled = Number(/^nr_throttled (\d+)$/m.exec(text ?? "")?.[1] ?? Number.NaN);
  return all > 0 && throttled >= 0 ? { all, throttled } : undefined;
}

function throttledShare({ before, now }: CounterInterval<Periods>): number | undefined {
  const all = now.all - before.all;
  const throttled = now.throttled - before.throttled;
  // The count is lower than before, so the file belongs to another group now.
  if (all < 0 || throttled < 0) return undefined;
  // There were no periods: no process wanted to run, so none was stopped.
  return all === 0 ? 0 : throttled / all;
}
