/** `node:http` without a framework. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { limited } from "spillway/node";
import type { Framework } from "../framework.ts";
import { AMPLE, BODY, REFUSED, SCARCE } from "../requests.ts";
import { keyOf, limiterAt, routes } from "../spillway.ts";

function answer(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(BODY));
}

/** Two handlers, by the path. */
function routed(admitted: RequestListener, refused: RequestListener): RequestListener {
  return (request, response) =>
    request.url === REFUSED ? refused(request, response) : admitted(request, response);
}

/** As the package's documentation has it for servers without a framework. */
function flexible({
  rate,
  period,
}: {
  readonly rate: number;
  readonly period: number;
}): RequestListener {
  const limiter = new RateLimiterMemory({ points: rate, duration: period / 1000 });
  return (request, response) => {
    limiter
      .consume(keyOf(request))
      .then((result) => {
        setHeaders(response, rate, result);
        answer(request, response);
      })
      .catch((refusal: unknown) => {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        setHeaders(response, rate, refusal);
        response.setHeader("Retry-After", Math.ceil(refusal.msBeforeNext / 1000));
        response.statusCode = 429;
        response.end("Too Many Requests");
      });
  };
}

function setHeaders(response: ServerResponse, limit: number, result: RateLimiterRes): void {
  response.setHeader("X-RateLimit-Limit", limit);
  response.setHeader("X-RateLimit-Remaining", result.remainingPoints);
  response.setHeader("X-RateLimit-Reset", Math.ceil((Date.now() + result.msBeforeNext) / 1000));
}

export const node: Framework = {
  peer: "rate-limiter-flexible",
  bare: async () => createServer(routed(answer, answer)),
  async spillway(place) {
    const limiter = limiterAt(place);
    const { admitted, refused } = routes<IncomingMessage>(keyOf);
    const listener = routed(limited(limiter, admitted, answer), limited(limiter, refused, answer));
    return createServer(listener);
  },
  usual: async () => createServer(routed(flexible(AMPLE), flexible(SCARCE))),
};
