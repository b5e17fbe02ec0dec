/** Checks the options and the data of a submission. */
import { checkOptions } from "../../internal/index.ts";
import { shownReason } from "../../limits/core/index.ts";
import { isJobId, newJobId } from "../job-id.ts";
import { badJob, tooLarge } from "../problems.ts";
import { isStorable } from "../storable.ts";

/** Options of a submission. */
export type SubmitOptions = {
  /**
   * The job's id, a UUID in lower case. Default: a new one. For requests that may be repeated, use
   * `jobId(user, key)`.
   */
  readonly id?: string | undefined;
  /** The key of the budget. Default: the limit's one global budget. */
  readonly key?: string | undefined;
  /** The number of units: 1 with a leaky bucket, else from 1 to the capacity. Default: 1. */
  readonly count?: number | undefined;
};

const NAMES: readonly (keyof SubmitOptions)[] = ["id", "key", "count"];

/** The options with defaults, after their checks. */
export type CheckedSubmission = {
  readonly id: string;
  readonly key: string | undefined;
  readonly count: number;
};

/** Checks the options and applies defaults. @throws SpillwayError `bad-job`, `unknown-field` */
export function checkedAsk(options: SubmitOptions, largest: number): CheckedSubmission {
  checkOptions("submit", options, NAMES);
  const { id = newJobId(), key, count = 1 } = options;
  if (!isJobId(id)) throw badJob("id", id, "a UUID in lower case; jobId(user, key) makes one");
  if (key !== undefined && typeof key !== "string") throw badJob("key", key, "text");
  if ("key" in options && key === undefined) {
    throw badJob("key", key, "text; leave it out for one budget that all jobs share");
  }
  // Checked for every queue, so that a program behaves the same after a change of its queue.
  if (!isStorable(key)) {
    throw badJob("key", key, "text that every queue can keep: no U+0000, no half surrogates");
  }
  if (!Number.isInteger(count) || count < 1 || count > largest) {
    throw badJob(
      "count",
      count,
      `a whole number from 1 to ${largest}, as many as can start at once`,
    );
  }
  return { id, key, count };
}

/**
 * Returns a copy of the data, as JSON carries it. The caller may change the original later.
 *
 * @throws SpillwayError `bad-job`, `job-too-large`
 */
export function checkedData(data: unknown, most: number): unknown {
  if (typeof (data as { then?: unknown } | null | undefined)?.then === "function") {
    throw badJob("data", data, "a value that JSON can represent, not a promise: await it first");
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(data);
  } catch (error) {
    throw badJob("data", data, `a value that JSON can represent (${shownReason(error)})`);
  }
  if (text === undefined) throw badJob("data", data, "a value that JSON can represent");
  const bytes = text.length > most ? text.length : utf8Bytes(text);
  if (bytes > most) throw tooLarge({ bytes, most });
  return JSON.parse(text);
}

/** Returns the number of bytes of a text in UTF-8. Pure. */
function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
