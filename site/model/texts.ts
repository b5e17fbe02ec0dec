/** Numbers and times as people read them. All functions are pure. */
import { UNITS } from "../../packages/server/src/commands/try/units.ts";

export { durationText } from "../../packages/server/src/commands/try/units.ts";

/** Units for rates, the longest first. */
const SHOWN = UNITS.filter(({ shown }) => shown !== undefined);

/** Formats a rate, such as `10/min` or `20 per 15 min`, so that `readRate` reads it. */
export function rateText({ rate, period }: { readonly rate: number; readonly period: number }) {
  const { ms, shown } = SHOWN.find((unit) => period % unit.ms === 0) ?? { ms: 1, shown: "ms" };
  return period === ms ? `${rate}/${shown}` : `${rate} per ${period / ms} ${shown}`;
}

/** Parses a duration such as `30s`, `1.5 min` or `250 ms`. @throws Error that says what is wrong */
export function readDuration(text: string): number {
  const [, count, name = ""] = /^(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const unit = UNITS.find(({ names }) => names.includes(name.toLowerCase()));
  if (unit !== undefined) return Math.round(Number(count) * unit.ms);
  const found = JSON.stringify(text.slice(0, 40));
  throw new Error(
    `the time ${found} is not understood, expected one such as 500 ms, 30 s or 5 min`,
  );
}

/** Formats a time for people, such as `1.5 min` or `250 ms`; `never` for Infinity. */
export function timeText(length: number): string {
  if (!Number.isFinite(length)) return "never";
  const unit = SHOWN.find(({ ms }) => length >= ms) ?? { ms: 1, shown: "ms" };
  return `${numberText(length / unit.ms)} ${unit.shown}`;
}

/** Formats a number with at most two digits after the point, and spaces between thousands. */
export function numberText(value: number): string {
  const [whole = "", fraction] = String(Math.round(value * 100) / 100).split(".");
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, " ");
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

/** A count and its noun: `1 request`, `2 requests`. */
export function counted(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
