/** Sends identical reads only once while they are under way. */
import type { ClientResponse } from "../../http/advice/index.ts";
import type { ClientSettings } from "../settings.ts";
import { endingWith, withOrigin } from "./body-end.ts";
import { decisionOf, remember } from "./decision-of.ts";
import { type ClientRequest, type FetchInit, headersOf } from "./request.ts";

type Cloneable = { clone(): object };
type SendAttempt<R> = (isLast: boolean) => Promise<R>;

/** A request that may be identical to another: its input, its other arguments, and its options. */
export type Joinable = {
  readonly input: unknown;
  readonly request: ClientRequest;
  readonly init: FetchInit | undefined;
  readonly call: ClientSettings["call"];
};

type SharedRead<R> = { readonly answer: Promise<R>; waiting: number; isShared: boolean };

/** The reads that are under way, by all that identifies them. */
export class RequestCoalescer<R extends ClientResponse> {
  readonly #underWay = new Map<string, SharedRead<R>>();

  /**
   * Waits for an identical read if one is under way. Otherwise starts it, so that later callers can
   * wait for it.
   */
  async run(
    wanted: Joinable,
    send: SendAttempt<R>,
    run: (send: SendAttempt<R>) => Promise<R>,
  ): Promise<R> {
    const id = idOf(wanted);
    if (id === undefined) return run(send);
    const read = this.#underWay.get(id) ?? this.#begin(id, run(send));
    read.isShared ||= read.waiting > 0;
    read.waiting++;
    const response = await read.answer;
    read.waiting--;
    // The last caller receives the original. If none had it, its body would never end or be
    // cancelled.
    return read.isShared ? partOf(response, read.waiting === 0) : response;
  }

  #begin(id: string, answer: Promise<R>): SharedRead<R> {
    const read = { answer, waiting: 0, isShared: false };
    this.#underWay.set(id, read);
    // Runs before the waiting callers continue, so that later callers start another read.
    const forget = () => this.#underWay.delete(id);
    answer.then(forget, forget);
    return read;
  }
}

/**
 * Returns a text that is equal for identical requests; undefined for requests that are not joined.
 *
 * Everything is compared, because any header may identify a user whose response is for that user
 * alone. Inputs that hide anything are not joined. A `Request`, for example, may have a dispatcher
 * that cannot be read.
 */
function idOf({ input, request, init, call }: Joinable): string | undefined {
  const { method, url, body, signal } = request;
  const isRead = (method === "GET" || method === "HEAD") && body === undefined;
  // A signal belongs to one caller. It must not end a read that others wait for.
  if (!isRead || signal !== undefined || typeof call.repeat === "function") return undefined;
  if (!isAddress(input) || !isOpen(init)) return undefined;
  const { method: _, headers, ...rest } = init ?? {};
  const others = Object.entries(rest).filter(([, value]) => value !== undefined);
  if (!isOpen(headers) || !others.every(([, value]) => isPlainValue(value))) return undefined;
  const { priority, wait, attempts, repeat } = call;
  const waits = [priority, wait, attempts, repeat];
  return JSON.stringify([method, url, byName(headersOf(headers)), others.sort(), waits]);
}

function isPlainValue(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean";
}

function isAddress(input: unknown): boolean {
  return typeof input === "string" || Object.prototype.toString.call(input) === "[object URL]";
}

/** Returns whether all that a value contains can be listed: a plain object, pairs, or `Headers`. */
function isOpen(value: unknown): boolean {
  if (value === undefined || value === null || Array.isArray(value)) return true;
  if (Object.prototype.toString.call(value) === "[object Headers]") return true;
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === null || isLast(prototype);
  return isPlain && Reflect.ownKeys(value).length === Object.keys(value).length;
}

/**
 * Returns whether a prototype is the last one, and has no fields. `fetch` also reads inherited
 * fields, which a list of entries does not contain.
 */
function isLast(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.keys(prototype).length === 0;
}

/** Sorts headers by name. The values of one name keep their order, which may matter. */
function byName(headers: (readonly [name: string, value: string])[]) {
  return headers.sort(([one], [other]) => (one === other ? 0 : one < other ? -1 : 1));
}

/**
 * Returns the response for one of several callers. Cancelling its body takes no time; that of a
 * bare clone would wait for all other callers.
 */
function partOf<R extends ClientResponse>(response: R, isLast: boolean): R {
  const clone = () => withOrigin((response as R & Cloneable).clone() as R, response);
  const part = endingWith(isLast ? response : clone(), () => {});
  const decision = decisionOf(response);
  if (decision !== undefined) remember(part, decision);
  return part;
}
