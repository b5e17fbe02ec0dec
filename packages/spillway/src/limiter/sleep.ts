import {
  badOption,
  checkFlag,
  checkOptions,
  isSignal,
  pause,
  type StopSignal,
} from "../internal/index.ts";
import { afterDelay, alarm, elapsed, LONGEST_TIMER, SpillwayError } from "../limits/core/index.ts";

/** The options of `sleep`. */
export type SleepOptions = {
  /** Ends the sleep: the promise rejects with the signal's reason. */
  readonly signal?: StopSignal | undefined;
  /**
   * Whether the sleep keeps the process alive. Default: true, because work already paid for would
   * be lost.
   */
  readonly keepAlive?: boolean | undefined;
};

/** The part of a runtime that it needs. */
type SleepTimers = {
  elapsed(): number;
  alarm(ms: number, call: () => void): () => void;
};

/**
 * Waits for `ms` milliseconds, such as a decision's `retryAfter`; never for less.
 *
 * Waits of over 2³¹ ms (24 days) also work, for which `setTimeout` would fire at once. Not for work
 * that must be done even if the program ends in between: see `spillway/deferred`.
 *
 * @param ms Milliseconds, 0 or more, possibly with fractions.
 * @throws As a rejection: SpillwayError `bad-wait` for any other value. This includes `Infinity`,
 * which means that waiting does not help. Also `bad-option`, `unknown-field`, and the reason of the
 * signal.
 * @example
 * const { ok, retryAfter } = await limiter.limit("tokens", { key, count, reserve: true });
 * if (ok) await sleep(retryAfter, { signal: request.signal });
 */
export async function sleep(ms: number, options: SleepOptions = {}): Promise<void> {
  checkOptions("sleep", options, ["signal", "keepAlive"]);
  const { signal, keepAlive = true } = options;
  if (signal !== undefined && !isSignal(signal))
    throw badOption("signal", signal, "an AbortSignal");
  checkFlag("keepAlive", keepAlive);
  checkTime(ms);
  await sleepBy({ elapsed, alarm: keepAlive ? alarm : afterDelay }, ms, signal);
}

/**
 * Sleeps with timers that can't be set for longer than `LONGEST_TIMER` and may fire slightly early.
 */
export async function sleepBy(
  { elapsed, alarm }: SleepTimers,
  ms: number,
  signal?: StopSignal,
): Promise<void> {
  const until = elapsed() + ms;
  let left = ms;
  do {
    await pause(Math.min(LONGEST_TIMER, Math.ceil(left)), { signal, scheduler: { alarm } });
    left = until - elapsed();
  } while (left > 0);
}

function checkTime(ms: unknown): void {
  if (typeof ms === "number" && ms >= 0 && ms < Number.POSITIVE_INFINITY) return;
  throw new SpillwayError({
    code: "bad-wait",
    field: "ms",
    value: ms,
    expected: "milliseconds, 0 or more",
    hint:
      ms === Number.POSITIVE_INFINITY
        ? "Infinity means that waiting does not help: check `reason`"
        : undefined,
  });
}
