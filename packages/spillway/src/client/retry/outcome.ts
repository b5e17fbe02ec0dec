/** What an answer means for those who come after it. Pure. */
import { type Advice, adviceWait } from "../advice/advice.ts";
import type { LimitProblem } from "../advice/problem.ts";

/**
 * - `served`: whatever it says, the server has dealt with it.
 * - `refused`: too much was asked, by this caller.
 * - `overloaded`: the server does not keep up, whoever asks.
 * - `failed`: it may work another time.
 */
export type Outcome = "served" | "refused" | "overloaded" | "failed";

const FAILED = new Set([408, 500, 502, 504]);

/**
 * What a status means. A 403 is a refusal for a time only where it says so: with `Retry-After`, or with
 * a quota that is used up, as GitHub does it. A problem document that speaks of limits says it for any.
 */
export function outcomeOf(status: number, advice: Advice, problem?: LimitProblem): Outcome {
  if (problem !== undefined) return problem.reason === "unavailable" ? "overloaded" : "refused";
  if (status === 429) return "refused";
  if (status === 503) return "overloaded";
  if (status === 403 && adviceWait(advice) !== undefined) return "refused";
  return FAILED.has(status) ? "failed" : "served";
}
