/** The gRPC methods: Envoy's rate limit and authorization services, and gRPC's health service. */
import { SpillwayError } from "spillway/core";
import { RequestError, type Service } from "../../service/index.ts";
import type { AskedAnswer } from "../asking/index.ts";
import { type EnvoyOptions, isUnanswered, type RateLimitReply, rateLimit } from "../envoy/index.ts";
import { checker } from "./authz/check.ts";
import { writeCheckResponse } from "./authz/check-response.ts";
import type { Methods } from "./grpc/server.ts";
import { GrpcError, STATUS, type StatusCode } from "./grpc/status.ts";
import { healthStatus } from "./health.ts";
import { readRequest } from "./request.ts";
import { writeResponse } from "./response.ts";

const SHOULD_RATE_LIMIT = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
const CHECK = "/grpc.health.v1.Health/Check";
const AUTHORIZE = "/envoy.service.auth.v3.Authorization/Check";

export type MethodsOptions = {
  readonly service: Service;
  readonly envoy: EnvoyOptions;
  /** Whether calls fail that are refused only because the store gave no answer. */
  readonly failsUnanswered: boolean;
  /** Whether the server should receive calls. */
  readonly isServing: () => boolean;
};

/** Creates the methods. */
export function methodsOf(options: MethodsOptions): Methods {
  return new Map([
    [SHOULD_RATE_LIMIT, shouldRateLimit(options)],
    [AUTHORIZE, authorize(options)],
    [CHECK, (message) => healthStatus(message, options.isServing())],
  ]);
}

function shouldRateLimit({ service, envoy, failsUnanswered }: MethodsOptions) {
  const written = ({ message, response }: RateLimitReply) => {
    if (failsUnanswered && response !== undefined && isUnanswered(response)) throw noAnswer();
    return writeResponse(message);
  };
  return (message: Buffer): Uint8Array | Promise<Uint8Array> => {
    const request = decoded(message);
    try {
      const answer = rateLimit(service, request, envoy);
      return answer instanceof Promise ? answer.then(written).catch(rethrow) : written(answer);
    } catch (error) {
      return rethrow(error);
    }
  };
}

function authorize({ service, failsUnanswered }: MethodsOptions) {
  const check = checker(service);
  const written = (answer: AskedAnswer) => {
    const { response } = answer;
    if (failsUnanswered && response !== undefined && isUnanswered(response)) throw noAnswer();
    return writeCheckResponse(answer);
  };
  return (message: Buffer): Uint8Array | Promise<Uint8Array> => {
    const answer = checked(check, message);
    return answer instanceof Promise ? answer.then(written).catch(rethrow) : written(answer);
  };
}

function checked(check: ReturnType<typeof checker>, message: Buffer) {
  try {
    return check(message);
  } catch (error) {
    if (error instanceof GrpcError || error instanceof SpillwayError) return rethrow(error);
    const why = (error as Error).message;
    throw new GrpcError(STATUS.INTERNAL, `the message is not a CheckRequest: ${why}`);
  }
}

function decoded(message: Buffer) {
  try {
    return readRequest(message);
  } catch (error) {
    if (error instanceof RequestError) throw new GrpcError(statusOf(error), error.message);
    // As gRPC libraries do with messages that they can't decode.
    const why = (error as Error).message;
    throw new GrpcError(STATUS.INTERNAL, `the message is not a RateLimitRequest: ${why}`);
  }
}

/** @throws the error that the caller receives */
function rethrow(error: unknown): never {
  if (error instanceof RequestError) throw new GrpcError(statusOf(error), error.message);
  if (error instanceof SpillwayError && error.code === "unavailable") {
    throw noAnswer();
  }
  throw error;
}

function noAnswer(): GrpcError {
  return new GrpcError(STATUS.UNAVAILABLE, "the store gave no answer");
}

/** envoyproxy/ratelimit answers these two with UNKNOWN. */
function statusOf({ code }: RequestError): StatusCode {
  const isUpstreams = code === "empty-domain" || code === "empty-descriptors";
  return isUpstreams ? STATUS.UNKNOWN : STATUS.INVALID_ARGUMENT;
}
