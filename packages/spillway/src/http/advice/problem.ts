/**
 * Reads why a request was refused, from a problem document (RFC 9457).
 *
 * The types of problems are those of draft-ietf-httpapi-ratelimit-headers.
 */
import type { WebStream } from "../../internal/index.ts";
import type { Reason, Scheduler } from "../../limits/core/index.ts";
import type { ClientResponse } from "./fetch.ts";

/** The report of a problem document about limits. */
export type LimitProblem = {
  readonly reason: Extract<Reason, "limited" | "blocked" | "unavailable">;
  /** The names of the policies that refused; empty if none is named. */
  readonly policies: readonly string[];
};

const TYPES = "https://iana.org/assignments/http-problem-types";
const REASONS: ReadonlyMap<unknown, LimitProblem["reason"]> = new Map([
  [`${TYPES}#quota-exceeded`, "limited"],
  [`${TYPES}#abnormal-usage-detected`, "blocked"],
  [`${TYPES}#temporary-reduced-capacity`, "unavailable"],
]);

/** The bounds for a document: its length in characters, and the names of policies. */
const LONGEST = 16_384;
const MOST_POLICIES = 64;

/**
 * Parses a problem document; undefined if it is of another kind or too long. Pure; never throws.
 */
export function limitProblem(text: string): LimitProblem | undefined {
  if (text.length > LONGEST) return undefined;
  const document = parsed(text);
  const reason = REASONS.get(document.type);
  if (reason === undefined) return undefined;
  const policies = document["violated-policies"];
  const names = Array.isArray(policies) ? policies.slice(0, MOST_POLICIES) : [];
  return { reason, policies: names.filter((name) => typeof name === "string") };
}

function parsed(text: string): { readonly [field: string]: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

type Readable = { clone?(): { readonly body?: WebStream | null } };

/**
 * How long to wait for the body, in milliseconds. A document arrives with its headers; later parts
 * are ignored.
 */
const WAIT = 500;

/**
 * Returns the problem in a response's body; undefined if there is none.
 *
 * Reads a copy, so that the response itself can still be read.
 */
export async function problemIn(
  response: ClientResponse,
  scheduler: Scheduler,
): Promise<LimitProblem | undefined> {
  const type = response.headers.get("content-type") ?? "";
  if (response.status < 400 || !type.startsWith("application/problem+json")) return undefined;
  const copy = (response as Readable).clone?.();
  if (typeof copy?.body?.getReader !== "function") return undefined;
  return limitProblem(await textOf(copy.body, scheduler));
}

declare const TextDecoder: new () => {
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string;
};

/** Returns the text that arrives in time. Never rejects. */
async function textOf(body: WebStream, scheduler: Scheduler): Promise<string> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  const callOff = scheduler.alarm(WAIT, stop);
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length <= LONGEST) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value as Uint8Array, { stream: true });
    }
    if (text.length > LONGEST) stop();
  } catch {
    // An unreadable body reports nothing.
  }
  callOff();
  return text;
}
