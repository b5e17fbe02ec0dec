/** Formats rules for people. All functions are pure. */
import type { Limit, Rate } from "spillway";
import { type Duration, milliseconds, SECOND } from "spillway/core";
import { printable, RATE_KINDS } from "spillway/support";
import { type Rule, unitLasting } from "../../rules/index.ts";

/** The longest name that is shown whole, in characters. */
const LONGEST_NAME = 120;

/** Returns a line for each rule, in columns. */
export function listing(rules: readonly Rule[]): readonly string[] {
  const names = rules.map(({ name }) => printable(name, LONGEST_NAME));
  const width = names.reduce((most, { length }) => Math.max(most, length), 0);
  return rules.map((rule, index) => `  ${names[index]?.padEnd(width)}  ${describeRule(rule)}`);
}

/** `5 limits`, `1 limit`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Describes the limit of a rule in words. */
export function describeRule({ limit, switchedOff, jitter, shadow, quota }: Rule): string {
  const defined = switchedOff ?? limit;
  const notes = [
    switchedOff === undefined ? "" : "off",
    startOf(defined),
    penaltyOf(defined),
    jitter === undefined ? "" : `waits up to ${timeName(jitter)} longer at random`,
    shadow ? "in shadow mode" : "",
    quota ? "a quota" : "",
  ].filter(Boolean);
  return [describeLimit(defined), ...notes].join(", ");
}

/** Describes the penalty, if there is one. */
function penaltyOf(limit: Rule["limit"]): string {
  if (limit === "unlimited" || !("penalty" in limit) || limit.penalty === undefined) return "";
  const { after, within, block, most } = limit.penalty;
  const [first, longest, window] = [block, most, within].map(timeOf);
  const times = first === longest ? first : `${first} to ${longest}`;
  return `blocks for ${times} after ${counted(after, "refusal")} in ${window}`;
}

function timeOf(time: Duration): string {
  return typeof time === "string" ? time : timeName(time);
}

/** Describes when windows begin, if not with those of UTC. */
function startOf(limit: Rule["limit"]): string {
  if (limit === "unlimited" || limit.kind === "concurrency") return "";
  if (!RATE_KINDS[limit.kind].windows) return "";
  const start = "start" in limit ? limit.start : undefined;
  if (start === undefined) return "windows per key";
  return start === 0 ? "" : `windows from ${new Date(start).toISOString()}`;
}

/** `token bucket, 10 per minute, at most 20 at once`. */
export function describeLimit(limit: Limit | "unlimited"): string {
  if (limit === "unlimited") return "unlimited";
  if (limit.kind === "concurrency") {
    return `${limit.kind}, at most ${limit.capacity} in flight, each for ${limit.ttl} at most`;
  }
  const { kind, rate } = limit;
  const capacity = "capacity" in limit ? (limit.capacity ?? rate) : rate;
  const most = capacity === rate ? "" : `, at most ${capacity} at once`;
  const share = "share" in limit ? limit.share : undefined;
  const lent = share === undefined ? "" : `, units lent for ${share} at most`;
  const none = rate === 0 ? ": refuses every request" : "";
  return `${kind}, ${rate} per ${periodName(limit)}${most}${lent}${none}`;
}

function periodName({ period }: Rate): string {
  const ms = milliseconds(period) ?? 0;
  return unitLasting(ms) ?? timeName(ms);
}

function timeName(ms: number): string {
  return ms % SECOND === 0 ? `${ms / SECOND} s` : `${ms} ms`;
}
