/** Describes refused tries, whose bodies may be anything, and failed ones. Functions are pure. */
import { SpillwayError } from "spillway";
import { printable } from "spillway/support";
import { RequestError } from "../request-error.ts";
import type { AuditDraft } from "./audit.ts";

const MOST_SHOWN = 10;
const LONGEST = 200;

type TryDetails = Pick<AuditDraft, "on" | "reason">;

/** Returns what a body names, as far as it can be read. */
export function describeTry(body: unknown): TryDetails {
  if (typeof body !== "object" || body === null) return { on: [] };
  const { domain, descriptors, limit, rule, all, reason } = body as Record<string, unknown>;
  const said = typeof reason === "string" ? printable(reason, LONGEST) : undefined;
  const named = Array.isArray(descriptors)
    ? descriptors.slice(0, MOST_SHOWN).map((one) => `${domain}/${entriesOf(one)}`)
    : [limit, rule, domain, all === true ? "all limits" : undefined].filter(isText);
  return { on: named.map((one) => printable(one, LONGEST)), reason: said };
}

/** Describes why an accepted change failed. A refusal of the request has changed nothing. */
export function describeFailure(
  version: number,
  error: unknown,
): Pick<AuditDraft, "outcome" | "code" | "detail"> {
  const code = codeOf(error);
  const why = error instanceof Error ? error.message : String(error);
  const isRefused = error instanceof RequestError && !isUnavailable(error) && code !== "internal";
  return isRefused
    ? { outcome: "refused", code, detail: `The change of version ${version} had no effect: ${why}` }
    : {
        outcome: "failed",
        code,
        detail: `The change of version ${version} may have taken effect: ${why}`,
      };
}

/** Whether the store, or the process that has it, gave no answer. */
export function isUnavailable(error: unknown): boolean {
  return codeOf(error) === "unavailable";
}

function codeOf(error: unknown): string {
  const isKnown = error instanceof RequestError || error instanceof SpillwayError;
  return isKnown ? error.code : "internal";
}

function entriesOf(descriptor: unknown): string {
  const { entries } = Object(descriptor) as { readonly entries?: unknown };
  if (!Array.isArray(entries)) return "?";
  const some = entries.slice(0, MOST_SHOWN).map((entry: unknown) => {
    const { key, value } = Object(entry) as Record<string, unknown>;
    return `${key}=${value}`;
  });
  return some.join("/");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
