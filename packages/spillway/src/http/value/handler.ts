/** The server's part: reports the units left of one limit to the owner of a request's session. */
import {
  badObject,
  checkFunction,
  given,
  inTime,
  isThenable,
  limitNamed,
  readOptions,
  timeout,
} from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import type { HttpResponse, Limits, SpillwayError } from "../../limits/core/index.ts";
import { NOT_ANSWERED, type ProblemDocument, problemOf } from "../headers/index.ts";
import { valueSnapshot } from "./value-snapshot.ts";

/** The limit and the key whose remaining units are shown. */
export type ValueRoute<L extends Limits, Req, Rest extends readonly unknown[]> = {
  /** The limit's name. */
  readonly limit: keyof L & string;
  /**
   * Identifies the budget: text, or a function that finds it in the request's session. Undefined is
   * answered with 401.
   *
   * Never derive it from the address or the body: then anyone could read the budgets of others.
   */
  readonly key:
    | string
    | ((request: Req, ...rest: Rest) => string | undefined | Promise<string | undefined>);
  /**
   * How long to wait for the key's promise, in milliseconds: 1 to an hour. Then the answer is 503.
   * Default: 1000.
   */
  readonly timeout?: number;
};

/** The used part of a request. */
export type ValueRequest = { readonly method: string };

/**
 * Creates a handler that answers GET with what a key has left, for `valueSource`. Takes nothing.
 *
 * Each answer costs one read of the store. If strangers can reach the handler, put a limit in front
 * of it.
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
  Req extends ValueRequest,
  Rest extends readonly unknown[],
>(
  limiter: AnyLimiter<L>,
  route: ValueRoute<L, Req, Rest>,
): (request: Req, ...rest: Rest) => Promise<HttpResponse> {
  const settings = readOptions({ of: "valueHandler" }, route, ROUTE);
  const { limit, key } = route;
  limitNamed(limiter.limits, limit);
  const keyOf = typeof key === "string" ? () => key : key;
  return async (request, ...rest) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead) return problem(NOT_ALLOWED, { Allow: "GET, HEAD" });
    try {
      const found = keyOf(request, ...rest);
      const key = isThenable(found)
        ? await inTime({ field: "key", timeout: settings.timeout }, found)
        : found;
      if (key === undefined || key === null) return problem(NOBODY);
      const snapshot = await valueSnapshot(limiter, { limit, key });
      return respond(200, "application/json", snapshot);
    } catch (error) {
      const { code, field } = (error ?? {}) as Partial<SpillwayError>;
      if (code !== "unavailable") throw error;
      if (field === "key") return problem(NOT_ANSWERED, { "Retry-After": "1" });
      return problem(problemOf({ reason: "unavailable", retryAfter: 1, policies: [] }));
    }
  };
}

const ROUTE = {
  limit: given<string>(),
  key: (value: unknown, field: string) => {
    const expected = "text, or a function that returns the key of the request's session";
    if (value === undefined) throw badObject(field, value, expected);
    if (typeof value !== "string") checkFunction(field, value, expected);
    return value;
  },
  timeout,
};

const NOT_ALLOWED: ProblemDocument = {
  type: "about:blank",
  title: "Method Not Allowed",
  status: 405,
  detail: "Use GET to read what is left of a limit.",
};

const NOBODY: ProblemDocument = {
  type: "about:blank",
  title: "Unauthorized",
  status: 401,
  detail: "Sign in to read what is left of your limit.",
};

type ResponseHeaders = { readonly [name: string]: string };

function problem(document: ProblemDocument, headers: ResponseHeaders = {}): HttpResponse {
  return respond(document.status, "application/problem+json", document, headers);
}

declare const Response: new (
  body: string,
  init: { readonly status: number; readonly headers: ResponseHeaders },
) => HttpResponse;

/** The response is for one caller and this moment, so it must not be cached. */
function respond(
  status: number,
  contentType: string,
  body: object,
  headers: ResponseHeaders = {},
): HttpResponse {
  const own = { "Content-Type": contentType, "Cache-Control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers: { ...own, ...headers } });
}
