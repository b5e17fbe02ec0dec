/**
 * One request from its call to its response: it waits for its turn, is sent, and may be sent again.
 */
import type { ClientResponse } from "../../http/advice/index.ts";
import { abandon, notify } from "../../internal/index.ts";
import { backoff } from "../retry/backoff.ts";
import { countsOf } from "../units/counts.ts";
import { type AttemptResult, discard, giveUp } from "./give-up.ts";
import { type ClientContext, type OutgoingRequest, once } from "./one-attempt.ts";
import { type ClientRequest, canBeSentAgain, isIdempotent } from "./request.ts";

/**
 * Sends a request, and again as often as allowed. Returns the last response.
 *
 * @throws RateLimitError if it was given up; the error of `fetch` if the last attempt ended with
 * one.
 */
export async function attempt<R extends ClientResponse>(
  shared: ClientContext,
  wanted: OutgoingRequest<R>,
): Promise<R> {
  const { settings, hosts, waits, budget } = shared;
  const { request, call } = wanted;
  const now = () => settings.scheduler.elapsed();
  const deadline = now() + call.wait;
  const counts = countsOf(call.count, request);
  budget.requested(now());
  for (let attempts = 1; ; attempts++) {
    // Looked up for each attempt, because a host without waiting requests may have been evicted.
    const host = hosts.of(settings.hostOf(request), settings.accountOf(request));
    const result = await once(shared, wanted, { host, deadline, attempts, counts });
    if (result.outcome === "served") return result.response as R;
    // A named wait of 0 is not used, because the server has just refused.
    const wait = result.wait || backoff(attempts, settings.backoff, settings.random);
    const again = Math.max(now() + wait, host.heldUntil, result.host.heldUntil);
    const mayGoOn = attempts < call.attempts && again <= deadline && mayRepeat(wanted, result);
    if (!mayGoOn || !budget.take(now())) return giveUp(settings, { result, wait });
    discard(result.response);
    notify(settings.onEvent, { type: "retrying", host: host.name, attempt: attempts + 1, wait });
    // If the host has received the wait, it holds for all requests to it. Only other waits are
    // waited for here.
    if (!result.wait || result.host !== host) await waits.pause(wait, request.signal);
  }
}

function mayRepeat<R extends ClientResponse>(
  { request, call }: OutgoingRequest<R>,
  { outcome, response }: AttemptResult<R>,
): boolean {
  if (!canBeSentAgain(request)) return false;
  if (typeof call.repeat === "function") return says(call.repeat, request, response);
  if (isIdempotent(request)) return true;
  // A server that redirected it may have carried it out; only a later server has refused.
  return call.repeat === "refused" && outcome === "refused" && response?.redirected !== true;
}

/**
 * Calls the option `repeat`; a promise counts as false. If it throws, discards the response, whose
 * unread body may hold a lease.
 */
function says(
  repeat: (request: ClientRequest) => boolean,
  request: ClientRequest,
  response: ClientResponse | undefined,
): boolean {
  try {
    const answer: unknown = repeat(request);
    abandon(answer);
    return answer === true;
  } catch (error) {
    discard(response);
    throw error;
  }
}
