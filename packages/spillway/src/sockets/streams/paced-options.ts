/** The options of a paced stream, and their checks. */
import {
  badOption,
  checkRateName,
  given,
  isSignal,
  type OptionsOf,
  type OptionTable,
  readOptions,
  type StopSignal,
  safeSignal,
  scheduler,
} from "../../internal/index.ts";
import type { RateName } from "../../limiter/index.ts";
import { type Duration, type Limits, MINUTE, type Scheduler } from "../../limits/core/index.ts";
import { checkedWait } from "../take.ts";

/** The options of a paced stream. */
export type PacedOptions<L extends Limits = Limits> = {
  /**
   * The name of the limit of the stream: its rate is the pace, its capacity what may pass at once.
   */
  readonly limit: RateName<L>;
  /** The key of the budget. Default: one budget for all streams under this limit. */
  readonly key?: string;
  /**
   * The unit that is counted: the bytes of each chunk, or each chunk as one event. Default:
   * `"bytes"`.
   */
  readonly of?: "bytes" | "events";
  /**
   * How long a piece may wait: milliseconds, or text such as `"5s"`. Default: a minute.
   *
   * If the wait would be longer, the stream fails. Under a leaky bucket a piece always waits for
   * its turn.
   */
  readonly wait?: Duration;
  /** Ends the stream, with the signal's reason. */
  readonly signal?: StopSignal;
  /** The timers, for tests. Default: those of the runtime. */
  readonly scheduler?: Scheduler;
};

const TABLE = {
  limit: given<string>(),
  key: given<string>(),
  of: (value: unknown = "bytes", field: string) => {
    if (value === "bytes" || value === "events") return value;
    throw badOption(field, value, '"bytes" or "events"');
  },
  wait: (value: unknown = MINUTE) => checkedWait(value as Duration),
  signal: (value: unknown, field: string) => {
    if (value === undefined) return undefined;
    if (isSignal(value)) return safeSignal(value);
    throw badOption(field, value, "an AbortSignal");
  },
  scheduler,
} satisfies OptionTable<PacedOptions>;

/** The options with defaults, after their checks. */
export type PacedSettings = OptionsOf<typeof TABLE>;

/**
 * @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-wait`
 */
export function checkedPaced(limits: Limits, options: PacedOptions): PacedSettings {
  const settings = readOptions({ of: "paced" }, options, TABLE);
  checkRateName(limits, "limit", settings.limit);
  return settings;
}
