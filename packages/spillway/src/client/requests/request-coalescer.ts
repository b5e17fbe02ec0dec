/** Identical reads that are under way at the same time are one. */
import type { ClientResponse } from "../../http/advice/index.ts";
import type { ClientSettings } from "../settings.ts";
import { endingWith, withOrigin } from "./body-end.ts";
import { decisionOf, remember } from "./decision-of.ts";
import { type ClientRequest, headersOf, type Init } from "./request.ts";

type Cloneable = { clone(): object };
type SendAttempt<R> = (isLast: boolean) => Promise<R>;

/** What may be the same as another: its request, what else `fetch` was called with, how long it waits. */
export type Joinable = {
  readonly input: unknown;
  readonly request: ClientRequest;
  readonly init: Init | undefined;
  readonly call: ClientSettings["call"];
};

type SharedRead<R> = { readonly answer: Promise<R>; waiting: number; isShared: boolean };

/** Reads that are under way, by what they ask for. */
export class RequestCoalescer<R extends ClientResponse> {
  readonly #underWay = new Map<string, SharedRead<R>>();

  /** Waits for the same read where one is under way; else runs it, and lets others wait for it. */
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
    // The last one has the original: a body that nobody has would never be over, nor be given up.
    return read.isShared ? partOf(response, read.waiting === 0) : response;
  }

  #begin(id: string, answer: Promise<R>): SharedRead<R> {
    const read = { answer, waiting: 0, isShared: false };
    this.#underWay.set(id, read);
    // Before those who wait go on: who comes later has another answer.
    const forget = () => this.#underWay.delete(id);
    answer.then(forget, forget);
    return read;
  }
}

/**
 * What makes two requests the same; undefined for those that are not joined.
 *
 * Everything is compared, since any header may name somebody whose answer is nobody else's. What hides
 * anything, such as a `Request`, which may have a dispatcher that nobody can read, is not joined.
 */
function idOf({ input, request, init, call }: Joinable): string | undefined {
  const { method, url, body, signal } = request;
  const isRead = (method === "GET" || method === "HEAD") && body === undefined;
  // A signal is one caller's: it must not end what others wait for.
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

/** Whether all that it says can be listed: a plain object, pairs, or `Headers`. */
function isOpen(value: unknown): boolean {
  if (value === undefined || value === null || Array.isArray(value)) return true;
  if (Object.prototype.toString.call(value) === "[object Headers]") return true;
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === null || isLast(prototype);
  return isPlain && Reflect.ownKeys(value).length === Object.keys(value).length;
}

/** Whether nothing that can be listed is inherited from it: `fetch` reads what a list of entries has not. */
function isLast(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.keys(prototype).length === 0;
}

/** The values of one name keep their order, which may matter. */
function byName(headers: (readonly [name: string, value: string])[]) {
  return headers.sort(([one], [other]) => (one === other ? 0 : one < other ? -1 : 1));
}

/** The answer for one of several callers. To cancel its body takes no time: a clone's own waits for all the others. */
function partOf<R extends ClientResponse>(response: R, isLast: boolean): R {
  const clone = () => withOrigin((response as R & Cloneable).clone() as R, response);
  const part = endingWith(isLast ? response : clone(), () => {});
  const decision = decisionOf(response);
  if (decision !== undefined) remember(part, decision);
  return part;
}
