/** What a paced stream is made with. */
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

/** At what pace. */
export type PacedOptions<L extends Limits = Limits> = {
  /** The limit of what goes through: its rate is the pace, its capacity what may go at once. */
  readonly limit: RateName<L>;
  /** Whose budget. Default: one for all streams under this limit. */
  readonly key?: string;
  /** What is counted: the bytes of each chunk, or each chunk as one event. Default: `"bytes"`. */
  readonly of?: "bytes" | "events";
  /**
   * How long a piece waits at most, milliseconds or text; then the stream fails. Under a leaky
   * bucket it waits for its turn all the same. Default: a minute.
   */
  readonly wait?: Duration;
  /** Ends the stream, with the signal's reason. */
  readonly signal?: StopSignal;
  /** What waits, for tests. Default: the runtime's. */
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
