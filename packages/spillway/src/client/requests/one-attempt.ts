/** Sends a request once, when its turn has come, and reports the result to the hosts concerned. */
import type { ClientResponse } from "../../http/advice/index.ts";
import { adviceWait, NO_ADVICE, problemIn, readAdvice } from "../../http/advice/index.ts";
import { notify } from "../../internal/index.ts";
import type { ClientWaits } from "../hosts/client-waits.ts";
import type { Host } from "../hosts/host.ts";
import type { Hosts } from "../hosts/hosts.ts";
import { outcomeOf } from "../retry/outcome.ts";
import type { RetryBudget } from "../retry/retry-budget.ts";
import { Exchange } from "../routes/exchange.ts";
import { routeOf } from "../routes/route-of.ts";
import type { ClientRoute } from "../routes/routes.ts";
import type { ClientSettings } from "../settings.ts";
import type { Counts } from "../units/counts.ts";
import { usageScan } from "../units/usage-scan.ts";
import type { AttemptResult } from "./give-up.ts";
import { type ClientRequest, originOf } from "./request.ts";

/** Everything that the requests of a client share. */
export type ClientContext = {
  readonly settings: ClientSettings;
  readonly hosts: Hosts;
  readonly waits: ClientWaits;
  readonly budget: RetryBudget;
};

/** A request that is to be sent, and how to send it. */
export type OutgoingRequest<R extends ClientResponse> = {
  readonly request: ClientRequest;
  readonly call: ClientSettings["call"];
  /** Sends it. May be called several times. */
  send(isLast: boolean): Promise<R>;
  /**
   * Returns the same response, which calls `end` when its body is over. Passes what is read of it
   * to `see`, if that is possible.
   */
  ending(response: R, end: () => void, see?: (chunk: unknown) => void): R;
  /**
   * Returns whether an error means that the request itself cannot be sent. Nothing is learnt about
   * the host from such an error.
   */
  isInvalid(error: unknown): boolean;
};

/** One attempt: its host, how long it may wait, its number from 1, and the units that it uses. */
export type AttemptPlan = {
  readonly host: Host;
  readonly deadline: number;
  readonly attempts: number;
  readonly counts: Counts | undefined;
};

/**
 * Makes one attempt. Returns its result.
 *
 * @throws RateLimitError if it may not be sent in time; the error of the attempt if the caller
 * aborted it, or if the request is invalid.
 */
export async function once<R extends ClientResponse>(
  { settings, hosts, waits }: ClientContext,
  { request, call, send, ending, isInvalid }: OutgoingRequest<R>,
  { host, deadline, attempts, counts }: AttemptPlan,
): Promise<AttemptResult<R>> {
  const waiting = { priority: call.priority, isAgain: attempts > 1, deadline, counts };
  const route = host.routes.begin(routeOf(request));
  const exchange = new Exchange(host, route, nextOf(route, settings));
  const release = await exchange.turn(waiting, request.signal, waits);
  const asked = { settings, hosts, request, call, host, exchange };
  let result: AttemptResult<R>;
  try {
    result = await answered(asked, await send(attempts >= call.attempts));
  } catch (error) {
    release?.();
    const isAborted = request.signal?.aborted === true;
    if (isInvalid(error) || (isAborted && !isTimeout(request))) exchange.brokenOff();
    else {
      const result = failed<R>(asked, error);
      if (!isAborted) return result;
    }
    throw error;
  }
  const isCounted = counts !== undefined && result.outcome === "served";
  if (release === undefined && !isCounted) return result;
  const scan = isCounted ? usageScan(result.response as R) : undefined;
  const end = () => {
    release?.();
    if (isCounted) exchange.over(scan?.used);
  };
  try {
    const response = ending(result.response as R, end, scan && ((bytes) => scan.chunk(bytes)));
    return { ...result, response };
  } catch (error) {
    end();
    throw error;
  }
}

/** After this many redirects in a row to the same host, the next one is expected. */
const REDIRECTS_IN_A_ROW = 3;

/**
 * Returns the host to which it will be redirected; undefined if none is known. Not used if the
 * client has limits of its own, which are taken once: for the host that is called.
 */
function nextOf({ leadsTo, led }: ClientRoute<Host>, { own }: ClientSettings): Host | undefined {
  return led >= REDIRECTS_IN_A_ROW && own === undefined ? leadsTo : undefined;
}

/**
 * Returns whether a timeout has aborted the request, which means that the host was too slow. Other
 * aborts may have any reason.
 */
function isTimeout({ signal }: ClientRequest): boolean {
  const { name } = (signal?.reason ?? {}) as { readonly name?: unknown };
  return name === "TimeoutError";
}

type AttemptContext = Pick<ClientContext, "settings" | "hosts"> & {
  readonly request: ClientRequest;
  readonly call: ClientSettings["call"];
  readonly host: Host;
  readonly exchange: Exchange;
};

/** Reports a response to the host that was called, and to the host to which it redirected. */
async function answered<R extends ClientResponse>(
  asked: AttemptContext,
  response: R,
): Promise<AttemptResult<R>> {
  const { settings, call, host, exchange } = asked;
  const { status } = response;
  const from = answeredBy(response, asked);
  const advice = readAdvice(response.headers, serverTime(response, from, asked));
  const problem = status < 400 ? undefined : await problemIn(response, settings.scheduler);
  const outcome = outcomeOf(status, advice, problem);
  const wait = outcome === "served" ? undefined : adviceWait(advice, problem?.policies);
  const said = { outcome, advice, status, wait };
  const sentOn = { ...said, outcome: "served", advice: NO_ADVICE, wait: undefined } as const;
  const isOwn = from === host || isUpgrade(host, from);
  const holding = exchange.done(call.priority, isOwn ? said : sentOn);
  exchange.ledTo(isOwn ? undefined : from, call.priority, said);
  if (from !== host && isOwn) from.heard({ ...said, start: exchange.start, isOfHost: true });
  if (outcome === "failed" || outcome === "overloaded")
    notify(settings.onEvent, { type: "failed", host: from.name, status });
  return { outcome, wait, host: from === host ? holding : from, response, advice, problem };
}

/**
 * Returns the present time at the server for a response without a `Date`, and the local time for
 * any other.
 */
function serverTime(
  { headers }: ClientResponse,
  from: Host,
  { settings, exchange }: AttemptContext,
): number {
  const received = settings.clock();
  if (headers.get("date") !== null) return received;
  const sent = received - (settings.scheduler.elapsed() - exchange.start.at);
  return received + from.serverAhead(headers, { sent, received });
}

/** Reports that no response has come. */
function failed<R>(
  { settings, request, call, host, exchange }: AttemptContext,
  error: unknown,
): AttemptResult<R> {
  const outcome = "failed";
  const isTimeout = request.signal?.aborted === true;
  const nothing = { advice: NO_ADVICE, status: undefined, wait: undefined, isTimeout };
  const holding = exchange.done(call.priority, { outcome, ...nothing });
  exchange.leaveNext();
  notify(settings.onEvent, { type: "failed", host: host.name, status: undefined, error });
  return { outcome, wait: undefined, host: holding, error };
}

/**
 * Returns whether one host is the `https` version of the other, which redirects all requests to it.
 */
function isUpgrade({ name }: Host, from: Host): boolean {
  return name.replace(/^http:/, "https:") === from.name;
}

/**
 * Returns the request that `fetch` sends to another origin: with all headers but `Authorization`.
 */
function sentOn(request: ClientRequest): ClientRequest {
  const header = (name: string) => (name === "authorization" ? undefined : request.header(name));
  return { ...request, header };
}

/**
 * Returns the host that has answered: the one that was called, or the one to which it redirected.
 */
function answeredBy(
  { url = "" }: ClientResponse,
  { request, settings, hosts, host }: AttemptContext,
): Host {
  const origin = originOf(url);
  if (origin === "" || origin === request.origin) return host;
  const name = settings.hostOf({ ...request, url, origin });
  if (name === host.name) return host;
  return hosts.of(name, settings.accountOf(sentOn({ ...request, url, origin })));
}
