import {
  badOption,
  checkFlag,
  checkOptions,
  isSignal,
  pause,
  type StopSignal,
} from "../internal/index.ts";
import { afterDelay, alarm, elapsed, LONGEST_TIMER, SpillwayError } from "../limits/core/index.ts";

/** How to sleep. */
export type SleepOptions = {
  /** Ends the sleep: it rejects with the signal's reason. */
  readonly signal?: StopSignal | undefined;
  /** Whether the process stays alive for it. Default: true, as work that is paid for would be lost. */
  readonly keepAlive?: boolean | undefined;
};

/** What it needs of a runtime. */
type Timers = {
  elapsed(): number;
  alarm(ms: number, call: () => void): () => void;
};

/**
 * Waits for a decision's `retryAfter`: never shorter, and for as long as it says, where `setTimeout` fires at once beyond
 * 2³¹ ms, some 24 days.
 *
 * Not for work that must be done though the program ends meanwhile: see `spillway/deferred`.
 *
 * @param ms Milliseconds, 0 or more, with fractions or without.
 * @throws As a rejection: SpillwayError `bad-wait` for what is no such number, and for `Infinity`, which is said where
 *   waiting does not help; `bad-option`, `unknown-field`; the reason of the signal.
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

/** Sleeps by timers that can't be set for longer than `LONGEST_TIMER`, and that may go off a little early. */
export async function sleepBy(
  { elapsed, alarm }: Timers,
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
        ? "Infinity says that waiting does not help: look at `reason`"
        : undefined,
  });
}
