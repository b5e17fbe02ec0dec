/** Checks the arguments of a limiter's methods. */
import { checkFlag, isOptions, isSignal, notOptions, safeSignal } from "../internal/index.ts";
import {
  MOST_UNITS,
  milliseconds,
  nearest,
  type Plan,
  type Settlement,
  SpillwayError,
} from "../limits/core/index.ts";
import type {
  AnswerOptions,
  BlockOptions,
  CheckedWait,
  SettleOptions,
  WaitOptions,
} from "./options.ts";

const WHOLE = "a whole number from 0 to 2⁵³ − 1";

/** @throws SpillwayError `bad-count` */
export function checkCount(limit: string, value: unknown, field = "count"): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw new SpillwayError({ code: "bad-count", limit, field, value, expected: WHOLE });
}

/** @throws SpillwayError `bad-settlement` */
export function checkSettlement(limit: string, options: SettleOptions): Settlement {
  for (const field of ["reserved", "used"] as const) {
    const value = options?.[field];
    if (Number.isSafeInteger(value) && value >= 0 && value <= MOST_UNITS) continue;
    const expected = `a whole number from 0 to ${MOST_UNITS}`;
    throw new SpillwayError({ code: "bad-settlement", limit, field, value, expected });
  }
  return { reserved: options.reserved, used: options.used };
}

/** @throws SpillwayError `bad-option`, `no-reservations` */
export function checkReserve(plan: Plan, reserve: unknown): asserts reserve is boolean {
  checkFlag("reserve", reserve);
  if (!plan.reservable) throw noReservations(plan, reserve);
}

/** Returns the error for reserving from a limit whose units can't be taken ahead of time. */
export function noReservations(
  { limit, kind }: Pick<Plan, "limit" | "kind">,
  reserve: unknown,
): SpillwayError {
  return new SpillwayError({
    code: "no-reservations",
    limit,
    field: "reserve",
    value: reserve,
    expected: `nothing reserved from a ${kind}`,
    hint: "Use a token bucket, a fixed window or a leaky bucket",
  });
}

/** @throws SpillwayError `bad-jitter` */
export function checkJitter(jitter: number): void {
  if (Number.isFinite(jitter) && jitter >= 0) return;
  const expected = "milliseconds, 0 or more";
  throw new SpillwayError({ code: "bad-jitter", field: "jitter", value: jitter, expected });
}

/** @throws SpillwayError `bad-jitter`, `bad-option` */
export function checkAnswer({ jitter, throws }: AnswerOptions): void {
  if (jitter !== undefined) checkJitter(jitter);
  if (throws !== undefined) checkFlag("throws", throws);
}

/** @throws SpillwayError `bad-wait`, `bad-option` */
export function checkWait(limit: string, { wait, signal }: Partial<WaitOptions>): CheckedWait {
  // The time left until a deadline may have fractions, and may be 0.
  const ms = wait === 0 ? 0 : milliseconds(typeof wait === "number" ? Math.ceil(wait) : wait);
  if (ms === undefined) {
    const expected = 'milliseconds from 0 to 366 days, or text such as "2s"';
    throw new SpillwayError({ code: "bad-wait", limit, field: "wait", value: wait, expected });
  }
  if (signal === undefined) return { ms, signal };
  if (isSignal(signal)) return { ms, signal: safeSignal(signal) };
  const expected = "an AbortSignal";
  throw new SpillwayError({ code: "bad-option", limit, field: "signal", value: signal, expected });
}

/** Returns the length of a block in milliseconds. @throws SpillwayError `bad-block` */
export function blockTime(limit: string, options: BlockOptions): number {
  const ms = milliseconds(options?.for);
  if (ms !== undefined) return ms;
  const expected = 'milliseconds from 1 to 366 days, or text such as "15m"';
  throw new SpillwayError({
    code: "bad-block",
    limit,
    field: "for",
    value: options?.for,
    expected,
  });
}

/** The longest reason of a block or override, in UTF-16 units. */
const LONGEST_REASON = 200;

/** Returns the reason of a block or override; empty for none. @throws SpillwayError */
export function reasonIn(
  limit: string,
  reason: unknown,
  code: "bad-block" | "bad-override",
): string {
  if (reason === undefined) return "";
  const isText = typeof reason === "string" && reason.length <= LONGEST_REASON;
  if (isText && /^[^\p{Cc}\p{Cs}]+$/u.test(reason)) return reason;
  throw new SpillwayError({
    code,
    limit,
    field: "reason",
    value: reason,
    isPrivate: true,
    expected: `1 to ${LONGEST_REASON} characters without control characters, or nothing`,
  });
}

/** The option names of each method. */
export const KEY_FIELDS = /* @__PURE__ */ names(["key", "config"]);
const AMOUNT_FIELDS = /* @__PURE__ */ names(KEY_FIELDS, ["count", "reserve"]);
export const JOINT_FIELDS = /* @__PURE__ */ names(["limit"], AMOUNT_FIELDS);
export const ANSWER_FIELDS = /* @__PURE__ */ names(["throws", "jitter"]);
export const ASK_FIELDS = /* @__PURE__ */ names(AMOUNT_FIELDS, ANSWER_FIELDS);
const LEASE_FIELDS = /* @__PURE__ */ names(KEY_FIELDS, ANSWER_FIELDS, ["count", "headroom"]);
const WORK_FIELDS = ["jitter", "count", "headroom", "wait", "signal"];
export const ACQUIRE_FIELDS = /* @__PURE__ */ names(LEASE_FIELDS, ["wait", "signal"]);
export const RUN_FIELDS = /* @__PURE__ */ names(KEY_FIELDS, WORK_FIELDS);
export const SETTLE_FIELDS = /* @__PURE__ */ names(KEY_FIELDS, ["reserved", "used"]);
export const BLOCK_FIELDS = /* @__PURE__ */ names(KEY_FIELDS, ["for", "reason"]);
export const OVERRIDE_FIELDS = /* @__PURE__ */ names(BLOCK_FIELDS, [
  "rate",
  "capacity",
  "unlimited",
]);
export const EXCEPTIONS_FIELDS = /* @__PURE__ */ names(KEY_FIELDS, ["limit", "most", "after"]);

function names(...lists: readonly Iterable<string>[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => [...list]));
}

/** Other libraries' names for our options. */
const OTHER_WORDS = new Map([
  ["cost", "count"],
  ["weight", "count"],
  ["tokens", "count"],
  ["points", "count"],
  ["id", "key"],
  ["identifier", "key"],
  ["name", "key"],
  ["throw", "throws"],
]);

/** @throws SpillwayError `bad-ask`, `unknown-field` */
export function checkFields(limit: string, options: object, known: ReadonlySet<string>): void {
  if (!isOptions(options, known)) {
    const problem = notOptions(options, "options such as { key: userId }");
    throw new SpillwayError({ code: "bad-ask", limit: limit || undefined, ...problem });
  }
  for (const field in options) if (!known.has(field)) throw unknownField(limit, field, known);
}

function unknownField(limit: string, field: string, known: ReadonlySet<string>): SpillwayError {
  const word = OTHER_WORDS.get(field);
  const near = word !== undefined && known.has(word) ? word : nearest(field, known);
  const elsewhere = known === JOINT_FIELDS && ANSWER_FIELDS.has(field);
  return new SpillwayError({
    code: "unknown-field",
    limit: limit || undefined,
    field,
    expected: `the options here are ${[...known].join(", ")}`,
    hint: elsewhere
      ? `${field} goes beside the asks, not into one`
      : near && `Did you mean ${near}?`,
  });
}

/** @throws SpillwayError `bad-ask` if they are no options */
export function checkOverrideOptions(limit: string, options: unknown): void {
  if (isOptions(options, ["rate", "capacity", "unlimited"])) return;
  const problem = notOptions(options, "options such as { key: userId, rate: 100 }");
  throw new SpillwayError({ code: "bad-ask", limit, ...problem });
}
