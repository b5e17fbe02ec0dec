/** Classifies a response by what it means for later requests. Pure. */
import type { LimitProblem } from "../../http/advice/index.ts";
import { type Advice, adviceWait } from "../../http/advice/index.ts";

/**
 * How one attempt of a request ended.
 *
 * - `served`: the server has dealt with the request, regardless of its response.
 * - `refused`: this caller has sent too much.
 * - `overloaded`: the server cannot keep up, with all its callers together.
 * - `failed`: the request may succeed another time.
 */
export type AttemptOutcome = "served" | "refused" | "overloaded" | "failed";

/** APIs of language models answer 529 while they are overloaded by all their callers together. */
const OVERLOADED = new Set([503, 529]);
/** 520 to 524 come from a proxy of Cloudflare whose origin does not answer. */
const FAILED = new Set([408, 500, 502, 504, 520, 521, 522, 523, 524]);

/**
 * Returns how an attempt ended, by its response.
 *
 * A 403 is a temporary refusal only if it has a `Retry-After`, or a quota that is used up, as
 * GitHub sends it. A problem document about limits means `refused` or `overloaded`, with any
 * status.
 */
export function outcomeOf(status: number, advice: Advice, problem?: LimitProblem): AttemptOutcome {
  if (problem !== undefined) return problem.reason === "unavailable" ? "overloaded" : "refused";
  if (status === 429) return "refused";
  if (OVERLOADED.has(status)) return "overloaded";
  if (status === 403 && adviceWait(advice) !== undefined) return "refused";
  return FAILED.has(status) ? "failed" : "served";
}
