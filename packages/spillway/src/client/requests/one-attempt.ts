/** Sending a request once: when its turn has come, and what its answer says to which host. */
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

/** What all requests of a client share. */
export type ClientContext = {
  readonly settings: ClientSettings;
  readonly hosts: Hosts;
  readonly waits: ClientWaits;
  readonly budget: RetryBudget;
};

/** A request that is wanted. */
export type OutgoingRequest<R extends ClientResponse> = {
  readonly request: ClientRequest;
  readonly call: ClientSettings["call"];
  /** Sends it, as often as it is called. */
  send(isLast: boolean): Promise<R>;
  /** The same answer, which calls back when its body is over, and shows what is read of it where it can. */
  ending(response: R, end: () => void, see?: (chunk: unknown) => void): R;
  /** Whether it failed because it is no request that can be sent: that says nothing of the host. */
  isInvalid(error: unknown): boolean;
};

/** To whom it is sent, until when it waits for that, the attempt's number, from 1, and what it uses. */
export type AttemptPlan = {
  readonly host: Host;
  readonly deadline: number;
  readonly attempts: number;
  readonly counts: Counts | undefined;
};

/** @throws RateLimitError where its turn does not come in time; what is thrown at whoever breaks it off. */
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

/** Requests of a route that were redirected to the same host, one after the other, before it is known that they are. */
const REDIRECTS_IN_A_ROW = 3;

/** Where it will be redirected, as far as is known. What a client limits itself is taken once, for the host that is asked. */
function nextOf({ leadsTo, led }: ClientRoute<Host>, { own }: ClientSettings): Host | undefined {
  return led >= REDIRECTS_IN_A_ROW && own === undefined ? leadsTo : undefined;
}

/** `AbortSignal.timeout` says that the host was too slow; whoever else breaks it off may have any reason. */
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

/** What an answer says is said to the host that was asked, and to the one to which that has redirected. */
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

/** What time it is there, for an answer that does not say so. */
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

/** No answer has come. */
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

/** Whether all that is asked of one is answered by the other: `http` leads to `https`. */
function isUpgrade({ name }: Host, from: Host): boolean {
  return name.replace(/^http:/, "https:") === from.name;
}

/** To another origin `fetch` sends all headers on but `Authorization`. */
function sentOn(request: ClientRequest): ClientRequest {
  const header = (name: string) => (name === "authorization" ? undefined : request.header(name));
  return { ...request, header };
}

/** The host that was asked, or the one to which it has redirected. */
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
