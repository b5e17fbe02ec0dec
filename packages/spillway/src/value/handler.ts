/** The server end: what is left of one limit, for whoever the request's session belongs to. */
import { planFor, valueAt } from "../algorithms/index.ts";
import {
  type HttpResponse,
  isConcurrency,
  type Limit,
  type Limits,
  type Mode,
  SpillwayError,
  type StateSnapshot,
  type Value,
} from "../core/index.ts";
import { type ProblemDocument, problemOf } from "../http/index.ts";
import { badOption, checkFunction, checkOptions } from "../internal/index.ts";
import type { RateLimiter } from "../limiter/index.ts";
import { sentState, type ValueSnapshot } from "./snapshot.ts";

/** Whose budget of which limit is shown. */
export type ValueRoute<L extends Limits, Req, Rest extends readonly unknown[]> = {
  /** The limit's name. */
  readonly limit: keyof L & string;
  /**
   * Whose budget it is: text, or what a function finds out of the request's session. Undefined is
   * answered with 401. Never take it from the address or the body: everybody could read everybody's.
   */
  readonly key:
    | string
    | ((request: Req, ...rest: Rest) => string | undefined | Promise<string | undefined>);
};

/** What is needed of a request. */
export type ValueRequest = { readonly method: string };

type Reads = {
  readonly limits: Limits;
  value(limit: string, options: { readonly key: string }): Value | Promise<Value>;
  peek(limit: string, options: { readonly key: string }): StateSnapshot | Promise<StateSnapshot>;
};

/**
 * Answers GET with what a key has left of a limit, for `valueSource` to count on from. Takes nothing.
 *
 * Each answer costs a read of the store; where strangers reach it, put a limit in front of it.
 *
 * @throws SpillwayError `unknown-limit`, `bad-option`, `unknown-field`
 * @example
 * export const GET = valueHandler(limiter, {
 *   limit: "sendMessage",
 *   key: async (request: Request) => (await sessionOf(request))?.userId,
 * });
 */
export function valueHandler<
  const L extends Limits,
  M extends Mode,
  Req extends ValueRequest,
  Rest extends readonly unknown[],
>(
  limiter: RateLimiter<L, M>,
  route: ValueRoute<L, Req, Rest>,
): (request: Req, ...rest: Rest) => Promise<HttpResponse> {
  const { limit, key } = checkedRoute(limiter as unknown as Reads, route);
  const keyOf = typeof key === "string" ? () => key : key;
  return async (request, ...rest) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead) return problem(NOT_ALLOWED, { Allow: "GET, HEAD" });
    const key = await keyOf(request, ...rest);
    if (key === undefined || key === null) return problem(NOBODY);
    try {
      const snapshot = await valueSnapshot(limiter, { limit, key });
      return respond(200, "application/json", snapshot);
    } catch (error) {
      if ((error as SpillwayError)?.code !== "unavailable") throw error;
      return problem(problemOf({ reason: "unavailable", retryAfter: 1, policies: [] }));
    }
  };
}

/** Whose budget of which limit. */
export type ValueOf<L extends Limits> = {
  readonly limit: keyof L & string;
  readonly key?: string | undefined;
};

/** Reads what a key has left, as a page is to receive it: for pages that are rendered on the server. */
export async function valueSnapshot<const L extends Limits, M extends Mode>(
  limiter: RateLimiter<L, M>,
  { limit, key }: ValueOf<L>,
): Promise<ValueSnapshot> {
  const reads = limiter as unknown as Reads;
  const options = (key === undefined ? {} : { key }) as { readonly key: string };
  const definition = reads.limits[limit];
  if (definition === undefined || !countsOn(definition)) {
    return shownOf(await reads.value(limit, options));
  }
  const plan = planFor(limit, definition);
  const peeked = await reads.peek(limit, options);
  const known = valueAt(peeked.state, plan, peeked.now);
  return { ...shownOf(known), state: sentState(plan, peeked) };
}

function shownOf({ limit, capacity, remaining, resetAfter, blockedFor }: Value): ValueSnapshot {
  return { limit, capacity, remaining, resetAfter, blockedFor };
}

/** Leases come back when somebody gives them back, and shards are several states. */
function countsOn(limit: Limit): boolean {
  return !isConcurrency(limit) && (("shards" in limit ? limit.shards : undefined) ?? 1) === 1;
}

function checkedRoute<L extends Limits, Req, Rest extends readonly unknown[]>(
  { limits }: Reads,
  route: ValueRoute<L, Req, Rest>,
): ValueRoute<L, Req, Rest> {
  checkOptions("valueHandler", route, ["limit", "key"]);
  const { limit, key } = route;
  if (!Object.hasOwn(limits, limit)) {
    const expected = `one of ${Object.keys(limits).join(", ")}`;
    throw new SpillwayError({ code: "unknown-limit", field: "limit", value: limit, expected });
  }
  const expected = "text, or a function that finds whose session the request belongs to";
  if (key === undefined) throw badOption("key", key, expected);
  if (typeof key !== "string") checkFunction("key", key, expected);
  return route;
}

const NOT_ALLOWED: ProblemDocument = {
  type: "about:blank",
  title: "Method Not Allowed",
  status: 405,
  detail: "What is left of a limit is read by GET.",
};

const NOBODY: ProblemDocument = {
  type: "about:blank",
  title: "Unauthorized",
  status: 401,
  detail: "What is left of a limit is shown to whom it belongs.",
};

type Headers = { readonly [name: string]: string };

function problem(document: ProblemDocument, headers: Headers = {}): HttpResponse {
  return respond(document.status, "application/problem+json", document, headers);
}

declare const Response: new (
  body: string,
  init: { readonly status: number; readonly headers: Headers },
) => HttpResponse;

/** It is one caller's, and of this moment: nobody keeps it. */
function respond(
  status: number,
  contentType: string,
  body: object,
  headers: Headers = {},
): HttpResponse {
  const own = { "Content-Type": contentType, "Cache-Control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers: { ...own, ...headers } });
}
