/** One request from when it is wanted until it has an answer: waits its turn, is sent, and sent again. */
import { notify, pause } from "../internal/index.ts";
import { type Advice, adviceWait, readAdvice } from "./advice/advice.ts";
import { problemIn } from "./advice/problem.ts";
import type { ClientResponse } from "./contracts.ts";
import { discard, giveUp, type Result } from "./give-up.ts";
import type { Host } from "./host.ts";
import type { Hosts } from "./hosts.ts";
import type { ClientSettings } from "./options.ts";
import { type ClientRequest, originOf } from "./request.ts";
import { backoff } from "./retry/backoff.ts";
import { type Outcome, outcomeOf } from "./retry/outcome.ts";
import { canBeSentAgain, isIdempotent } from "./retry/repeatable.ts";
import type { RetryBudget } from "./retry/retry-budget.ts";
import { turnAt } from "./wait.ts";

/** What all requests of a client share. */
export type Shared = {
  readonly settings: ClientSettings;
  readonly hosts: Hosts;
  readonly budget: RetryBudget;
};

/** A request that is wanted. */
export type Wanted<R extends ClientResponse> = {
  readonly request: ClientRequest;
  readonly call: ClientSettings["call"];
  /** Sends it, as often as it is called. */
  send(isLast: boolean): Promise<R>;
  /** The same answer, which calls back when its body is over. */
  ending(response: R, end: () => void): R;
  /** Whether it failed because it is no request that can be sent: that says nothing of the host. */
  isInvalid(error: unknown): boolean;
};

const NOTHING: Advice = { retryAfter: undefined, quotas: [] };

/** @throws RateLimitError where it was given up; what `fetch` throws where that was the last attempt. */
export async function attempt<R extends ClientResponse>(
  shared: Shared,
  wanted: Wanted<R>,
): Promise<R> {
  const { settings, hosts, budget } = shared;
  const { request, call } = wanted;
  const now = () => settings.scheduler.elapsed();
  const deadline = now() + call.wait;
  budget.requested(now());
  for (let attempts = 1; ; attempts++) {
    // Found anew each time: a host for which nothing waits may have been forgotten.
    const host = hosts.of(settings.hostOf(request));
    const result = await once(shared, wanted, { host, deadline, attempts });
    if (result.outcome === "served") return result.response as R;
    const wait = result.wait ?? backoff(attempts, settings.backoff, settings.random);
    const mayGoOn =
      attempts < call.attempts && now() + wait <= deadline && mayRepeat(wanted, result);
    if (!mayGoOn || !budget.take(now())) return giveUp(settings, { result, wait });
    discard(result.response);
    notify(settings.onEvent, { type: "retrying", host: host.name, attempt: attempts + 1, wait });
    // A wait that the host receives holds for all who want it; only what nobody has said is waited here.
    if (result.wait === undefined || result.host !== host)
      await pause(wait, request.signal, settings.scheduler);
  }
}

function mayRepeat<R extends ClientResponse>(
  { request, call }: Wanted<R>,
  { outcome, response }: Result<R>,
): boolean {
  if (!canBeSentAgain(request)) return false;
  if (typeof call.repeat === "function") return call.repeat(request) === true;
  if (isIdempotent(request)) return true;
  // Who has redirected it may have carried it out: it is what came after that was refused.
  return call.repeat === "refused" && outcome === "refused" && response?.redirected !== true;
}

type Try = { readonly host: Host; readonly deadline: number; readonly attempts: number };

async function once<R extends ClientResponse>(
  { settings, hosts }: Shared,
  { request, call, send, ending, isInvalid }: Wanted<R>,
  { host, deadline, attempts }: Try,
): Promise<Result<R>> {
  const { scheduler } = settings;
  const waiting = { priority: call.priority, isAgain: attempts > 1, deadline };
  const release = await turnAt(host, waiting, request.signal, settings);
  const sent = scheduler.elapsed();
  try {
    const response = await send(attempts >= call.attempts);
    const advice = readAdvice(response.headers, settings.clock());
    const problem = response.status < 400 ? undefined : await problemIn(response, scheduler);
    const outcome = outcomeOf(response.status, advice, problem);
    const wait = outcome === "served" ? undefined : adviceWait(advice, problem?.policies);
    const said = { outcome, advice, sent, status: response.status, wait };
    const from = answeredBy(response, { request, settings, hosts, host });
    const sentOn = { ...said, outcome: "served", advice: NOTHING, wait: undefined } as const;
    host.done(call.priority, from === host || isUpgrade(host, from) ? said : sentOn);
    if (from !== host) from.heard(said);
    report(settings, from, { outcome, status: response.status });
    const ended = release === undefined ? response : ending(response, release);
    return { outcome, wait, host: from, response: ended, advice, problem };
  } catch (error) {
    release?.();
    if (request.signal?.aborted || isInvalid(error)) {
      host.brokenOff();
      throw error;
    }
    host.done(call.priority, {
      outcome: "failed",
      advice: NOTHING,
      sent,
      status: undefined,
      wait: undefined,
    });
    report(settings, host, { outcome: "failed", status: undefined, error });
    return { outcome: "failed", wait: undefined, host, error };
  }
}

/** Whether all that is asked of one is answered by the other: `http` leads to `https`. */
function isUpgrade({ name }: Host, from: Host): boolean {
  return name.replace(/^http:/, "https:") === from.name;
}

type Asked = Pick<Shared, "settings" | "hosts"> & {
  readonly request: ClientRequest;
  readonly host: Host;
};

/** The host that was asked, or the one to which it has redirected. */
function answeredBy({ url = "" }: ClientResponse, { request, settings, hosts, host }: Asked): Host {
  const origin = originOf(url);
  if (origin === "" || origin === request.origin) return host;
  const name = settings.hostOf({ ...request, url, origin });
  return name === host.name ? host : hosts.of(name);
}

type Report = {
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly error?: unknown;
};

function report({ onEvent }: ClientSettings, { name }: Host, { outcome, status, error }: Report) {
  if (outcome !== "failed" && outcome !== "overloaded") return;
  notify(onEvent, { type: "failed", host: name, status, ...(error !== undefined && { error }) });
}
