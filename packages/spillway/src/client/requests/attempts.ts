/** One request from when it is wanted until it has an answer: waits its turn, is sent, and sent again. */
import type { ClientResponse } from "../../http/advice/index.ts";
import { abandon, notify } from "../../internal/index.ts";
import { backoff } from "../retry/backoff.ts";
import { countsOf } from "../units/counts.ts";
import { type AttemptResult, discard, giveUp } from "./give-up.ts";
import { type ClientContext, type OutgoingRequest, once } from "./one-attempt.ts";
import { type ClientRequest, canBeSentAgain, isIdempotent } from "./request.ts";

/** @throws RateLimitError where it was given up; what `fetch` throws where that was the last attempt. */
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
    // Found anew each time: a host for which nothing waits may have been forgotten.
    const host = hosts.of(settings.hostOf(request), settings.accountOf(request));
    const result = await once(shared, wanted, { host, deadline, attempts, counts });
    if (result.outcome === "served") return result.response as R;
    // A server that says "now" has just refused all the same.
    const wait = result.wait || backoff(attempts, settings.backoff, settings.random);
    const again = Math.max(now() + wait, host.heldUntil, result.host.heldUntil);
    const mayGoOn = attempts < call.attempts && again <= deadline && mayRepeat(wanted, result);
    if (!mayGoOn || !budget.take(now())) return giveUp(settings, { result, wait });
    discard(result.response);
    notify(settings.onEvent, { type: "retrying", host: host.name, attempt: attempts + 1, wait });
    // A wait that the host receives holds for all who want it; only what nobody has said is waited here.
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
  // Who has redirected it may have carried it out: it is what came after that was refused.
  return call.repeat === "refused" && outcome === "refused" && response?.redirected !== true;
}

/** What is promised is no yes. An answer that nobody will have is not read to its end either, and may hold a lease. */
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
