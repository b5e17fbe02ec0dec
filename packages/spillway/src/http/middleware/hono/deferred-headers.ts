/**
 * Adds headers to a response of `@hono/node-server` when it is sent, or before anything reads it.
 *
 * That server sends the values that a handler has passed to `new Response`. As soon as code reads
 * the response's headers, it creates those of the platform, which costs more than a limit.
 */
import { type FetchResponse, withHeaders } from "../../guard/index.ts";
import type { Header } from "../../headers/index.ts";
import { type Outgoing, outgoingOf, responseOf, type UncheckedHonoContext } from "./context.ts";

/** Headers that a response lacks until it is read or sent. */
type DueHeaders = {
  readonly context: UncheckedHonoContext;
  readonly response: object;
  readonly headers: readonly Header[];
};

const DUE = Symbol("spillway.due");

/** A response, and the response of `node:http` that sends it. */
type Due = { [DUE]?: DueHeaders | undefined };

declare const Request: { readonly prototype: object };
declare const Response: { readonly prototype: object };

/**
 * Adds headers to the response of a context later. Returns false if they must be added at once.
 *
 * Whatever is read of the response, except its status, has the headers. If the context has another
 * response in the end, they are not sent, as on other runtimes. They are, if code around the app
 * reads only the status of its response and answers the same request by another app.
 */
export function deferHeaders(context: UncheckedHonoContext, headers: readonly Header[]): boolean {
  const outgoing: (Outgoing & Due) | undefined = outgoingOf(context);
  if (outgoing === undefined || outgoing.headersSent || headers.some(isExtended)) return false;
  // A request that a handler has created, as `app.request` does, is not the one to be answered.
  if (Object.getPrototypeOf(context.req.raw) === Request.prototype) return false;
  const response: FetchResponse & Due = responseOf(context);
  const deferring = deferringOf(Object.getPrototypeOf(response));
  if (deferring === undefined || !Reflect.setPrototypeOf(response, deferring)) return false;
  const due = { context, response, headers };
  response[DUE] = due;
  if (!(DUE in outgoing)) addWhenSent(outgoing);
  outgoing[DUE] = due;
  return true;
}

/** Whether a header extends the list that other code has set, so that it must read that list. */
function isExtended([name]: Header): boolean {
  return name === "Access-Control-Expose-Headers";
}

/** Adds headers that are still due when the response is sent. */
function addWhenSent(outgoing: Outgoing & Due): void {
  const { writeHead } = outgoing;
  outgoing.writeHead = (status, ...head) => {
    const due = outgoing[DUE];
    outgoing[DUE] = undefined;
    if (due === undefined || !isSent(due, head)) return writeHead.call(outgoing, status, ...head);
    return writeHead.call(outgoing, status, merged(head[0] as HeaderRecord, due.headers));
  };
}

/**
 * Whether the response has not been read, and is the one that its context has in the end.
 *
 * `@hono/node-server` sends headers as a record. Anything else comes from a handler that answers
 * without a response.
 */
function isSent(due: DueHeaders, [given, ...others]: readonly unknown[]): boolean {
  const isRecord = given === undefined || (typeof given === "object" && !Array.isArray(given));
  const { context, response } = due;
  const isUnread = (response as Due)[DUE] === due;
  return isRecord && others.length === 0 && isUnread && context.res === response;
}

type HeaderRecord = { readonly [name: string]: unknown };

/** Merges headers. Those that were due override others of the same name. Pure. */
function merged(given: HeaderRecord | undefined, headers: readonly Header[]): HeaderRecord {
  const all: { [name: string]: unknown } = {};
  for (const name in given) if (!isNamed(headers, name)) all[name] = given[name];
  for (const [name, value] of headers) all[name] = value;
  return all;
}

function isNamed(headers: readonly Header[], name: string): boolean {
  for (const [other] of headers) {
    if (other.length === name.length && other.toLowerCase() === name.toLowerCase()) return true;
  }
  return false;
}

/** The last prototype of responses for which a deferring one was created, and that one. */
let known: { readonly base: object; readonly deferring: object } | undefined;

/**
 * Returns the prototype of responses whose headers are due; undefined for those of the platform,
 * to which headers are added at once.
 */
function deferringOf(base: object): object | undefined {
  if (known?.base === base) return known.deferring;
  const isPlatforms = Object.getPrototypeOf(base) === Object.prototype;
  if (base !== Response.prototype || isPlatforms) return undefined;
  known = { base, deferring: createDeferring(base) };
  return known.deferring;
}

/** The members that show no headers. */
const PLAIN: ReadonlySet<string> = new Set(["constructor", "status", "ok"]);

function createDeferring(base: object): object {
  const deferring = Object.create(base);
  const levels = [base, Object.getPrototypeOf(base)];
  for (const name of new Set(levels.flatMap(Object.getOwnPropertyNames))) {
    if (PLAIN.has(name)) continue;
    const get = function (this: FetchResponse & Due): unknown {
      add(this, base);
      return Reflect.get(base, name, this);
    };
    Object.defineProperty(deferring, name, { get, configurable: true });
  }
  return deferring;
}

/** Adds the headers that are due, and makes the response an ordinary one again. */
function add(response: FetchResponse & Due, base: object): void {
  const due = response[DUE];
  response[DUE] = undefined;
  Object.setPrototypeOf(response, base);
  if (due !== undefined) withHeaders(response, due.headers);
}
