import { checkOptions, checkPositive } from "../../internal/index.ts";
import { elapsed } from "../../limits/core/index.ts";
import type { Signal } from "../signal.ts";
import { type CpuTimes, cpuTimes, processors } from "./host.ts";
import { type CounterInterval, sinceLast } from "./since-last.ts";

export type CpuUtilizationOptions = {
  /**
   * How many processors this process may use, above 0: 0.5 where a container has half of one.
   * Default: as many as the runtime says; not every runtime knows of a container's quota.
   */
  readonly cpus?: number;
};

/** Where processor time is counted. */
export type CpuSource = {
  cpuTimes(): CpuTimes | undefined;
  processors(): number | undefined;
  /** Milliseconds from a clock that never steps. */
  elapsed(): number;
};

const MICROSECONDS = 1000;

type CpuReading = { readonly used: number; readonly at: number };

/**
 * The share of its processors that this process used since the last read: 0 to about 1.
 *
 * For work in several threads: hashing, compression, workers. One thread of JavaScript on eight
 * processors returns 0.125 when it can do no more: there, take `eventLoopUtilization`. It says
 * nothing of other processes on the machine. Each read ends a window: one reader, about once a
 * second. Undefined where the runtime does not count.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function cpuUtilization(
  options: CpuUtilizationOptions = {},
  source: CpuSource = { cpuTimes, processors, elapsed },
): Signal {
  checkOptions("cpuUtilization", options, ["cpus"]);
  if (options.cpus !== undefined) checkPositive("cpus", options.cpus);
  const read = () => reading(source);
  return sinceLast(read, (span) => usedShare(span, options.cpus ?? source.processors()));
}

function reading({ cpuTimes, elapsed }: CpuSource): CpuReading | undefined {
  const times = cpuTimes();
  return times && { used: (times.user + times.system) / MICROSECONDS, at: elapsed() };
}

function usedShare(
  { before, now }: CounterInterval<CpuReading>,
  cpus: number | undefined,
): number | undefined {
  const available = (now.at - before.at) * (cpus ?? 0);
  return available > 0 ? (now.used - before.used) / available : undefined;
}
