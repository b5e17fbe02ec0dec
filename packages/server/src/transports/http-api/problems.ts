/** Converts errors, of the service or of Fastify, to problem details (RFC 9457). */
import { STATUS_CODES } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { SpillwayError, type Warn } from "spillway";
import { RequestError } from "../../service/index.ts";
import { shownStack } from "../intake/index.ts";
import { retryAfterHeader } from "./refuse.ts";

/**
 * Answers an error with a problem. Errors not caused by the caller are reported to `warn` instead.
 */
export function problemSender(warn: Warn) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error, request);
    if (problem.code === "internal") warn(`a request failed: ${shownStack(error)}`);
    const { status, headers } = problem;
    return reply.code(status).headers(headers).type(PROBLEM_TYPE).send(problemJson(problem));
  };
}

/** The media type of problem details. */
export const PROBLEM_TYPE = "application/problem+json";

/** Builds the body of a problem. Pure. */
export function problemJson({ status, code, message: detail, more }: RequestError) {
  return { type: "about:blank", title: STATUS_CODES[status], status, detail, code, ...more };
}

function problemOf(error: Error, { routeOptions }: FastifyRequest): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof SpillwayError && error.code === "unavailable") return unavailable();
  return translated(error, routeOptions);
}

/** How long to wait before a retry after a store has failed, in milliseconds. */
const SOON = 1000;

/** The store's own message is for the operator, because it may name machines. */
function unavailable(): RequestError {
  const detail =
    "The store gave no answer, so the call may have taken effect; try again, except for " +
    "/v1/settle, which may settle twice";
  const headers = retryAfterHeader(SOON);
  return new RequestError({ status: 503, code: "unavailable", detail, headers });
}

/** Replaces Fastify's own errors by the service's. */
function translated(
  error: Error & { code?: string; statusCode?: number },
  { config }: Partial<FastifyRequest["routeOptions"]> = {},
): RequestError {
  const { code, statusCode: status = 500, message } = error;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    const { accepts = "application/json" } = config ?? {};
    const detail = `Found another content type, expected ${accepts}`;
    return new RequestError({ status: 415, code: "bad-content-type", detail });
  }
  if (code === "FST_ERR_BAD_URL") {
    const detail = "Found a path with invalid %-encoding, expected a path of /openapi.json";
    return new RequestError({ status: 400, code: "bad-request", detail });
  }
  if (status >= 400 && status < 500) {
    return new RequestError({ status, code: "bad-request", detail: message });
  }
  const detail = "An internal error occurred; the request is not the cause";
  return new RequestError({ status: 500, code: "internal", detail });
}
