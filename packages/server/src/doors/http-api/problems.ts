/** Errors as problem details (RFC 9457), whoever raised them: this service or Fastify. */
import { STATUS_CODES } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { SpillwayError, type Warn } from "spillway";
import { RequestError } from "./request-error.ts";
import { retryAfterHeader } from "./retry-after.ts";

/** Answers with a problem. What is no mistake of the caller's goes to `warn`, not to the caller. */
export function problemSender(warn: Warn) {
  return (error: Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error);
    if (problem.code === "internal") warn(`a request failed: ${error.stack ?? error.message}`);
    const { status, code, message: detail, headers } = problem;
    const body = { type: "about:blank", title: STATUS_CODES[status], status, detail, code };
    return reply.code(status).headers(headers).type("application/problem+json").send(body);
  };
}

function problemOf(error: Error): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof SpillwayError && error.code === "unavailable") return unavailable();
  return translated(error);
}

/** How long after a store has failed it is worth asking again, in milliseconds. */
const SOON = 1000;

/** What exactly the store said is for the operator: it may name machines. */
function unavailable(): RequestError {
  const detail =
    "The store gave no answer, so nothing is known of what was done; it does no harm to try again";
  const headers = retryAfterHeader(SOON);
  return new RequestError({ status: 503, code: "unavailable", detail, headers });
}

/** Fastify's own errors in our words. */
function translated(error: Error & { code?: string; statusCode?: number }): RequestError {
  const { code, statusCode: status = 500, message } = error;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    const detail = "Found a larger body, expected at most 65536 bytes";
    return new RequestError({ status: 413, code: "body-too-large", detail });
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    const detail = "Found another content type, expected application/json";
    return new RequestError({ status: 415, code: "bad-content-type", detail });
  }
  if (status >= 400 && status < 500) {
    return new RequestError({ status, code: "bad-request", detail: message });
  }
  const detail = "Something went wrong here; the request is not at fault";
  return new RequestError({ status: 500, code: "internal", detail });
}
