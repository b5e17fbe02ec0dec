/**
 * Problem documents (RFC 9457) that explain refusals, with the types of the rate limit headers
 * draft.
 */
import type { Decision } from "../../limits/core/index.ts";

/** A problem document. Its fields are in the order in which they are sent. */
export type ProblemDocument = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /**
   * The names of the limits that refused. Left out if the refusal does not come from the caller's
   * limits.
   */
  readonly "violated-policies"?: readonly string[];
};

const TYPES = "https://iana.org/assignments/http-problem-types";

/** The caller has used its quota. */
const QUOTA_EXCEEDED = {
  type: `${TYPES}#quota-exceeded`,
  title: "Request cannot be satisfied as assigned quota has been exceeded",
  status: 429,
} as const;

/** The caller was blocked, by hand or by a penalty. */
const ABNORMAL_USAGE = {
  type: `${TYPES}#abnormal-usage-detected`,
  title: "Request not satisfied due to detection of abnormal request pattern",
  status: 429,
} as const;

/** The server is overloaded or the store unavailable. The caller did nothing wrong. */
const REDUCED_CAPACITY = {
  type: `${TYPES}#temporary-reduced-capacity`,
  title: "Request cannot be satisfied due to temporary server capacity constraints",
  status: 503,
} as const;

/** The used part of a refusal. */
export type RefusalDetails = {
  readonly reason: Decision["reason"];
  /** Whole seconds; undefined if waiting does not help. */
  readonly retryAfter: number | undefined;
  /** The names of the policies that refused. */
  readonly policies: readonly string[];
};

/** Returns the problem document of a refusal. Pure. */
export function problemOf({ reason, retryAfter, policies }: RefusalDetails): ProblemDocument {
  const detail = advice(retryAfter);
  if (reason === "shed" || reason === "unavailable") return { ...REDUCED_CAPACITY, detail };
  const isBlocked = reason === "blocked" || reason === "penalized";
  const type = isBlocked ? ABNORMAL_USAGE : QUOTA_EXCEEDED;
  return { ...type, detail, "violated-policies": policies };
}

function advice(seconds: number | undefined): string {
  if (seconds === undefined) return "Trying again later does not help.";
  return `Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** The problem of a request whose body lacks what its limits need. */
export const BAD_REQUEST: ProblemDocument = {
  type: "about:blank",
  title: "Bad Request",
  status: 400,
  detail: "The body of the request is missing, or lacks a required field.",
};

/** The problem of a server whose own code has failed. It gives no details. */
export const SERVER_ERROR: ProblemDocument = {
  type: "about:blank",
  title: "Internal Server Error",
  status: 500,
  detail: "The request could not be checked.",
};

/** The problem of a server in which something did not answer in time. It gives no details. */
export const NOT_ANSWERED: ProblemDocument = {
  ...REDUCED_CAPACITY,
  detail: "The request could not be checked in time.",
};
