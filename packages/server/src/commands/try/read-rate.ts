import { WordReader } from "./words.ts";

/** `rate` units in each `period` of milliseconds. */
export type RatePerPeriod = { readonly rate: number; readonly period: number };

const FORMS = '"10/min", "5 per second", "1000/day", "20 per 15 minutes"';

/**
 * Parses a rate. Pure.
 *
 * @throws CommandError `bad-rate`, with the place and the nearest valid text
 */
export function readRate(text: string): RatePerPeriod {
  const words = new WordReader({ text, what: "rate", forms: FORMS });
  const rate = words.count();
  const period = periodIn(words);
  words.end();
  return { rate, period };
}

/**
 * Parses a period at the current position, such as `/ min` or `per 15 minutes`. Returns
 * milliseconds. An error also names `others`, which the caller has tried.
 */
export function periodIn(words: WordReader, others: readonly string[] = []): number {
  words.expect("/", "per", "a", "an", "every", ...others);
  return words.duration();
}
