/** What an answer means for those who come after it. Pure. */
import type { LimitProblem } from "../../http/advice/index.ts";
import { type Advice, adviceWait } from "../../http/advice/index.ts";

/**
 * - `served`: whatever it says, the server has dealt with it.
 * - `refused`: too much was asked, by this caller.
 * - `overloaded`: the server does not keep up, whoever asks.
 * - `failed`: it may work another time.
 */
export type AttemptOutcome = "served" | "refused" | "overloaded" | "failed";

/** 529 is what APIs of language models answer while they are overloaded, whoever asks. */
const OVERLOADED = new Set([503, 529]);
/** From 520 to 524 it is a proxy of Cloudflare whose origin gives no answer. */
const FAILED = new Set([408, 500, 502, 504, 520, 521, 522, 523, 524]);

/**
 * What a status means. A 403 is a refusal for a time only where it says so: with `Retry-After`, or with
 * a quota that is used up, as GitHub does it. A problem document that speaks of limits says it for any.
 */
export function outcomeOf(status: number, advice: Advice, problem?: LimitProblem): AttemptOutcome {
  if (problem !== undefined) return problem.reason === "unavailable" ? "overloaded" : "refused";
  if (status === 429) return "refused";
  if (OVERLOADED.has(status)) return "overloaded";
  if (status === 403 && adviceWait(advice) !== undefined) return "refused";
  return FAILED.has(status) ? "failed" : "served";
}
