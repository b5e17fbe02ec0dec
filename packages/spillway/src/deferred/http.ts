/**
 * Builds HTTP responses: 202 for queued work, a status document, and problem documents. All
 * functions are pure.
 */
import { problemOf } from "../http/headers/index.ts";
import { textFrom } from "../internal/index.ts";
import { RateLimitError, type SpillwayError } from "../limits/core/index.ts";
import type { Job } from "./contracts.ts";
import type { Submission } from "./intake/submitter.ts";

/** A response, in a form that `new Response(answer.body, answer)` also accepts. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
};

/** The location of a job's status. */
export type StatusLocation = {
  /** Returns the path or URL of a job's status, such as `/mailings/` and the id. */
  readonly location: (id: string) => string;
};

/** How often a client may request the status of a job that should be running, in seconds. */
const SOON = 1;

/**
 * Returns the response to a submission: 202 with `Location`, or 429 or 503 with a problem document.
 *
 * `Retry-After` says when to request the status, or when to submit again.
 */
export function submissionAnswer(submission: Submission, { location }: StatusLocation): HttpAnswer {
  if (!submission.ok) {
    const { decision } = submission;
    const { status, headers } = new RateLimitError(decision);
    const { reason, retryAfter } = decision;
    const seconds = Number.isFinite(retryAfter) ? Math.ceil(retryAfter / 1000) : undefined;
    const refused = { reason, retryAfter: seconds, policies: [decision.limit] };
    return problem({ ...problemOf(refused), status }, headers);
  }
  const { job } = submission;
  return json(202, document(job), {
    Location: textFrom("location", location(job.id)),
    ...again(job),
  });
}

/** Returns the response to a request for a job's status: 200 with the status, or 404. */
export function jobAnswer(job: Job | undefined): HttpAnswer {
  if (job === undefined) return problem(plain(404, "There is no such job."));
  // A status changes by itself, so it must not be cached.
  return json(200, document(job), { "Cache-Control": "no-store", ...again(job) });
}

/**
 * Returns the response to a cancellation: 200 if the job is cancelled, 409 if it has started, or
 * 404.
 */
export function cancelAnswer(job: Job | undefined): HttpAnswer {
  if (job === undefined || job.state === "cancelled") return jobAnswer(job);
  // The job failed and is tried again, or was stopped before its start.
  const why =
    job.state === "queued"
      ? "A worker has received the job, which waits to start again"
      : `The job is ${job.state}`;
  return problem(plain(409, `${why}: it can't be cancelled any more.`));
}

/** Returns the response to an error of `submit`, `find` or `cancel`; undefined for other errors. */
export function failureAnswer(error: unknown): HttpAnswer | undefined {
  const { code, name } = (error ?? {}) as Partial<SpillwayError>;
  if (name !== "SpillwayError") return undefined;
  if (code === "job-too-large") {
    return problem(plain(413, "The job has too much data."));
  }
  if (code === "bad-job") return problem(plain(400, "The job is invalid."));
  if (code !== "queue-failed" && code !== "unavailable") return undefined;
  const busy = plain(503, "The queue does not answer. Try again.");
  return problem(busy, { "Retry-After": String(SOON) });
}

/**
 * Returns the document for clients. It never contains the error of the work, which is internal to
 * the program.
 */
function document({ id, state, startAt, wait, result }: Job): object {
  const times = { startAt: new Date(startAt).toISOString(), startsIn: Math.ceil(wait / 1000) };
  return { id, state, ...times, ...(result === undefined ? {} : { result }) };
}

function again({ state, wait }: Job): { readonly [name: string]: string } {
  if (state !== "queued" && state !== "running") return {};
  return { "Retry-After": String(Math.max(SOON, Math.ceil(wait / 1000))) };
}

/** The titles of problems that have no type of their own: what their status means. */
const TITLES = {
  400: "Bad Request",
  404: "Not Found",
  409: "Conflict",
  413: "Content Too Large",
  503: "Service Unavailable",
} as const;

function plain(status: keyof typeof TITLES, detail: string) {
  return { type: "about:blank", title: TITLES[status], status, detail };
}

function json(status: number, body: object, headers: HttpAnswer["headers"]): HttpAnswer {
  const type = { "Content-Type": "application/json" };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

function problem(
  body: { readonly status: number },
  headers: HttpAnswer["headers"] = {},
): HttpAnswer {
  const type = { "Content-Type": "application/problem+json" };
  return { status: body.status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}
