/** Acquires leases, at once or after a wait, and runs work under them. */
import {
  type Awaitable,
  abandon,
  after,
  badOption,
  type LostSignal,
  readNow,
} from "../internal/index.ts";
import {
  type Answer,
  type Ask,
  asShadow,
  type Decision,
  SpillwayError,
  type Timing,
} from "../limits/core/index.ts";
import { ACQUIRE_FIELDS, checkFields, checkWait, RUN_FIELDS } from "./check-ask.ts";
import type { RunOptions } from "./contracts.ts";
import { finished } from "./finish.ts";
import { holdingOf, isHeldLate, over } from "./holdings.ts";
import { Lease } from "./lease.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { AcquireOptions, AnswerOptions, CheckedWait, WaitOptions } from "./options.ts";
import type { WaitingCall } from "./waiting/waiter.ts";
import { whileHeld, workOf } from "./while-held.ts";

/**
 * A call for a lease. Its options are not copied: they may be inherited, or computed when they are
 * read.
 */
export type AcquireCall = {
  readonly limit: string;
  readonly options: (AcquireOptions & Partial<WaitOptions>) | undefined;
  /** How to return the answer. */
  readonly answer: AnswerOptions | undefined;
};

/** Takes a lease, or waits for one. */
export function acquire<M extends Timing>(
  parts: LimiterParts<M>,
  { limit, options, answer }: AcquireCall,
): Answer<M, Lease<M>> | Promise<Lease<M>> {
  const ask = parts.asks.leaseAsk(limit, options, ACQUIRE_FIELDS);
  if (options !== undefined && ("wait" in options || "signal" in options)) {
    const wait = checkWait(limit, options);
    parts.asks.noteWait(limit, options.wait);
    if (parts.isWithin && wait.ms > 0) throw waitsForItself(limit, options.wait);
    const isEnforced = ask.settings?.mode === "enforce";
    const turn = isEnforced ? parts.waiting.join(ask, wait) : unqueued(parts, ask, wait);
    return turn.then((turn) => leaseOf(parts, turn, answer));
  }
  const asked = readNow();
  return after(
    parts.store.timing as M,
    parts.store.limit(ask),
    (decision): Awaitable<M, Lease<M>> =>
      leaseOf(parts, { ask, decision, asked }, answer) as Awaitable<M, Lease<M>>,
  );
}

/** Asks for a limit that is not enforced, under which no call waits. */
async function unqueued<M extends Timing>(
  { store }: LimiterParts<M>,
  ask: Ask,
  { signal }: CheckedWait,
): Promise<WaitingCall> {
  if (signal?.aborted) throw signal.reason;
  const asked = readNow();
  const decision = await store.limit(ask);
  if (!signal?.aborted) return { ask, decision, asked };
  for (const { budget, lease } of holdingOf(ask, decision)) {
    abandon(store.execute({ verb: "release", budgets: [budget], lease }));
  }
  throw signal.reason;
}

/**
 * Returns the error for a wait inside a transaction, which would never end.
 *
 * A release by another caller waits for the row, which is locked until the transaction ends.
 */
function waitsForItself(limit: string, value: unknown): SpillwayError {
  return new SpillwayError({
    code: "bad-wait",
    limit,
    field: "wait",
    value,
    expected: "no wait in a transaction: other callers can't release units until it ends",
    hint: "Leave `wait` out, or wait before the transaction begins",
  });
}

/** Converts the final decision on a call for a lease to a lease. */
function leaseOf<M extends Timing>(
  parts: LimiterParts<M>,
  { ask, decision, asked }: WaitingCall,
  options: AnswerOptions | undefined,
): Lease<M> | Promise<Lease<M>> {
  const context = parts.leaseContext;
  const grant = { decision, holdings: holdingOf(ask, decision), context, asked };
  const refuse = (refusal: Decision) =>
    new Lease({ ...grant, decision: finished(parts, refusal, options), holdings: [] });
  if (!decision.ok) return refuse(parts.heldTimes.estimate(ask, decision));
  const lease = new Lease(grant);
  if (!lease.isOver) return lease;
  return isHeldLate(lease).then((isHeld) => {
    if (isHeld) return lease;
    if (decision.mode === undefined) return refuse(over(decision));
    return new Lease({
      ...grant,
      decision: asShadow({ ...over(decision), mode: undefined }),
      holdings: [],
    });
  });
}

/** Work that runs under a lease. */
export type LeasedWork<T> = (lost: LostSignal) => T | Promise<T>;

/** Runs work under a lease. The options may be missing. */
export async function run<M extends Timing, T>(
  parts: LimiterParts<M>,
  limit: string,
  given: readonly [RunOptions | LeasedWork<T>, LeasedWork<T> | undefined],
): Promise<T> {
  const [options, work] = workOf<RunOptions, LeasedWork<T>>(...given);
  checkFields(limit, options, RUN_FIELDS);
  if (typeof work !== "function") throw badOption("work", work, "a function");
  const { jitter } = options;
  const answer = jitter === undefined ? { throws: true } : { throws: true, jitter };
  const lease: Lease<M> = await acquire(parts, { limit, options, answer });
  return whileHeld(lease, work);
}
