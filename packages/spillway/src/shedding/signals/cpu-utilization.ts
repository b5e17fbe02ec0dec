import { checkOptions, checkPositive } from "../../internal/index.ts";
import { elapsed } from "../../limits/core/index.ts";
import type { Signal } from "../signal.ts";
import { type CpuTimes, cpuTimes, processors } from "./host.ts";
import { type CounterInterval, sinceLast } from "./since-last.ts";

export type CpuUtilizationOptions = {
  /**
   * The number of processors that this process may use, above 0: 0.5 if a container has half of
   * one. Default: the number that the runtime reports; not every runtime knows the quota of a
   * container.
   */
  readonly cpus?: number;
};

/** The source of processor times. */
export type CpuSource = {
  cpuTimes(): CpuTimes | undefined;
  processors(): number | undefined;
  /** Milliseconds from a clock that never steps. */
  elapsed(): number;
};

const MICROSECONDS = 1000;

type CpuReading = { readonly used: number; readonly at: number };

/**
 * Creates a signal: the share of its processors that this process used since the last read.
 *
 * From 0 to about 1. For work in several threads: hashing, compression, workers. A single thread of
 * JavaScript on eight processors never returns more than 0.125: use `eventLoopUtilization` there.
 * It shows nothing of other processes on the machine. Each read ends a window, so use one reader,
 * about once a second. Undefined if the runtime does not measure.
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
