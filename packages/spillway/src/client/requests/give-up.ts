/** What a caller gets who is not served: the server's last answer with a decision beside it, or an error. */
import type { Advice, ClientResponse, LimitProblem } from "../../http/advice/index.ts";
import { notify } from "../../internal/index.ts";
import { type Decision, RateLimitError, type Reason } from "../../limits/core/index.ts";
import type { Host } from "../hosts/host.ts";
import type { AttemptOutcome } from "../retry/outcome.ts";
import type { ClientSettings } from "../settings.ts";
import { remember } from "./decision-of.ts";

/** What came of one attempt: an answer, an error, or a decision not to send it. */
export type AttemptResult<R> = {
  readonly outcome: AttemptOutcome;
  readonly wait: number | undefined;
  /** Who has answered: another host than was asked, after a redirect. */
  readonly host: Host;
  readonly response?: R;
  readonly advice?: Advice;
  readonly problem?: LimitProblem | undefined;
  readonly error?: unknown;
};

type FinalAttempt<R> = { readonly result: AttemptResult<R>; readonly wait: number };

/** The server's last answer is the answer; an error is thrown on. @throws RateLimitError with `throws` */
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

/** The server's own reason and limit, where it has named them. */
function decisionAfter<R>({ result, wait }: FinalAttempt<R>, maxHold: number): Decision {
  const { outcome, host, problem, advice } = result;
  const reason: Reason = outcome === "refused" ? "limited" : "unavailable";
  const known = host.refusal(problem?.reason ?? reason);
  const [limit = known.limit] = problem?.policies ?? [];
  const quota = advice?.quotas.find(({ name }) => name === limit);
  // It may have said more to somebody else.
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

/** Lets the connection go, which waits for somebody to read the body. */
export function discard(response: ClientResponse | undefined): void {
  const body = response?.body as { cancel?: () => Promise<unknown> } | null | undefined;
  try {
    body?.cancel?.()?.catch?.(() => {});
  } catch {
    // It is being read by somebody else.
  }
}
