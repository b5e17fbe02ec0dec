/** Envoy's rate limit service over HTTP: `/json`, with any method and any content type. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Service } from "../../../service/index.ts";
import { type EnvoyOptions, rateLimit } from "../../envoy/index.ts";
import { acceptJson } from "../bodies.ts";
import { refuse } from "../refuse.ts";
import { type RateLimitRequest, readRequest } from "./request.ts";
import { toJson } from "./response.ts";
import { requestSchema, responseSchema, responses } from "./schemas.ts";

/** The methods other than POST that can have a body. */
const OTHER_METHODS: HTTPMethods[] = ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"];

type EnvoyJsonOptions = { readonly service: Service; readonly envoy: EnvoyOptions };

/** Adds `/json`. */
export async function envoyJsonRoutes(
  app: FastifyInstance,
  options: EnvoyJsonOptions,
): Promise<void> {
  acceptJson(app, "*");
  for (const schema of [requestSchema, responseSchema]) app.addSchema(schema);
  const schema = {
    summary: "Envoy's rate limit service: take, and answer as envoyproxy/ratelimit does",
    body: { $ref: "RateLimitRequest#" },
    response: responses,
  };
  const handler = handlerOf(options);
  app.post("/json", { schema }, handler);
  app.route({
    method: OTHER_METHODS,
    url: "/json",
    exposeHeadRoute: false,
    schema: { ...schema, hide: true },
    handler,
  });
}

function handlerOf({ service, envoy: options }: EnvoyJsonOptions) {
  return async ({ body }: FastifyRequest, reply: FastifyReply) => {
    const request = readRequest(body as RateLimitRequest);
    const { message, response } = await rateLimit(service, request, options);
    for (const { key, value } of message.responseHeadersToAdd) reply.header(key, value);
    if (response?.joint?.ok === false) refuse(reply, response.joint);
    return toJson(message);
  };
}
