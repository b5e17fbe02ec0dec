/**
 * Ends a request that is not served: with the server's last response and a decision, or with an
 * error.
 */
import type { Advice, ClientResponse, LimitProblem } from "../../http/advice/index.ts";
import { notify } from "../../internal/index.ts";
import { type Decision, RateLimitError, type Reason } from "../../limits/core/index.ts";
import type { Host } from "../hosts/host.ts";
import type { AttemptOutcome } from "../retry/outcome.ts";
import type { ClientSettings } from "../settings.ts";
import { remember } from "./decision-of.ts";

/** The result of one attempt: a response, or an error. */
export type AttemptResult<R> = {
  readonly outcome: AttemptOutcome;
  readonly wait: number | undefined;
  /**
   * The host that has answered, or the queue that holds its route back alone. After a redirect it
   * is not the host that was called.
   */
  readonly host: Host;
  readonly response?: R;
  readonly advice?: Advice;
  readonly problem?: LimitProblem | undefined;
  readonly error?: unknown;
};

type FinalAttempt<R> = { readonly result: AttemptResult<R>; readonly wait: number };

/**
 * Returns the server's last response, and remembers a decision for it if it is a refusal. Throws
 * the error if there is no response.
 *
 * @throws RateLimitError with the option `throws`
 */
export function giveUp<R extends ClientResponse>(
  settings: ClientSettings,
  last: FinalAttempt<R>,
): R {
  const { outcome, host, response, error } = last.result;
  if (response === undefined) throw error;
  if (outcome === "failed" && !settings.throws) return response;
  const decision = decisionAfter(last, settings.maxHold);
  notify(settings.onEvent, { type: "gave up", host: host.name, decision });
  if (settings.throws) {
    discard(response);
    throw new RateLimitError(decision);
  }
  remember(response, decision);
  return response;
}

/**
 * Returns the decision for a refusal, with the server's own reason and limit if it has named them.
 */
function decisionAfter<R>({ result, wait }: FinalAttempt<R>, maxHold: number): Decision {
  const { outcome, host, problem, advice } = result;
  const reason: Reason = outcome === "refused" ? "limited" : "unavailable";
  const known = host.refusal(problem?.reason ?? reason);
  const [limit = known.limit] = problem?.policies ?? [];
  const quota = advice?.quotas.find(({ name }) => name === limit);
  // The server may have named a longer wait in another response.
  const said = Math.ceil(Math.max(1, wait, host.saidLeft));
  return {
    ...known,
    limit,
    capacity: quota?.capacity ?? known.capacity,
    remaining: quota?.remaining ?? known.remaining,
    retryAfter: Math.min(said, maxHold),
    resetAfter: Math.max(known.resetAfter, said),
  };
}

/** Cancels the body of a response, which would otherwise keep its connection until it is read. */
export function discard(response: ClientResponse | undefined): void {
  const body = response?.body as { cancel?: () => Promise<unknown> } | null | undefined;
  try {
    body?.cancel?.()?.catch?.(() => {});
  } catch {
    // The body is being read by other code.
  }
}
