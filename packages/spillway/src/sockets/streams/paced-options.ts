/** What a paced stream is made with. */
import {
  badOption,
  checkOptions,
  checkRateName,
  isSignal,
  type StopSignal,
} from "../../internal/index.ts";
import type { RateName } from "../../limiter/index.ts";
import type { Duration, Limits, Scheduler } from "../../limits/core/index.ts";

/** At what pace. */
export type PacedOptions<L extends Limits = Limits> = {
  /** The limit of what goes through: its rate is the pace, its capacity what may go at once. */
  readonly limit: RateName<L>;
  /** Whose budget. Default: one for all streams under this limit. */
  readonly key?: string;
  /** What is counted: the bytes of each chunk, or each chunk as one event. Default: `"bytes"`. */
  readonly of?: "bytes" | "events";
  /**
   * How long a piece waits at most, milliseconds or text; then the stream fails. Under a leaky bucket it waits for
   * its turn all the same. Default: a minute.
   */
  readonly wait?: Duration;
  /** Ends the stream, with the signal's reason. */
  readonly signal?: StopSignal;
  /** What waits, for tests. Default: the runtime's. */
  readonly scheduler?: Scheduler;
};

const FIELDS = ["limit", "key", "of", "wait", "signal", "scheduler"];

/** @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind` */
export function checkPacedOptions(limits: Limits, options: PacedOptions): void {
  checkOptions("paced", options, FIELDS);
  const { limit, of = "bytes", signal } = options;
  checkRateName(limits, "limit", limit);
  if (of !== "bytes" && of !== "events") throw badOption("of", of, '"bytes" or "events"');
  if (signal !== undefined && !isSignal(signal))
    throw badOption("signal", signal, "an AbortSignal");
}
