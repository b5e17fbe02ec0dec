import type { Decision } from "../../limits/core/index.ts";

const decisions = new WeakMap<object, Decision>();

export function remember(response: object, decision: Decision): void {
  decisions.set(response, decision);
}

/**
 * Returns why a client gave up and returned this refusal; undefined for any other response.
 *
 * @example
 * const response = await fetch(url);
 * const decision = decisionOf(response);
 * if (decision !== undefined) tryAgain(decision.retryAfter);
 */
export function decisionOf(response: object): Decision | undefined {
  return decisions.get(response);
}
