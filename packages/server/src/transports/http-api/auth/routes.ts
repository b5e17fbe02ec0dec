/** `/auth/…`: whether a proxy may pass a request on. The rules classify it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problemBody, problemOf } from "spillway/http";
import { classifier, type LimitResponse, type Service } from "../../../service/index.ts";
import { closed, described } from "../json-schema.ts";
import { refuse } from "../refuse.ts";
import { problemResponse } from "../responses.ts";
import { originalRequest, PROXIES } from "./original-request.ts";
import { checkEnds, sectionOf } from "./section.ts";
import { refusedPolicies, statusHeaders } from "./status-headers.ts";

type AuthOptions = { readonly service: Service };

/** The query of a proxy. */
type AuthQuery = { readonly domain?: string; readonly hops?: string; readonly refuse?: string };

/** Adds a route for each proxy, which answers every method alike. */
export async function authRoutes(app: FastifyInstance, { service }: AuthOptions): Promise<void> {
  answerByRefuse(app);
  const classified = classifier();
  const others = app.supportedMethods.filter((method) => method !== "GET" && method !== "HEAD");
  for (const [proxy, headers] of Object.entries(PROXIES)) {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { domain, hops = "1" } = request.query as AuthQuery;
      const section = sectionOf(service, domain);
      const original = originalRequest(headers, { asked: request.raw, hops: Number(hops) });
      const descriptors = await classified(section.items, original);
      checkEnds(section, descriptors);
      if (descriptors.length === 0) return reply.send();
      const answer = await service.limit({ domain: section.domain, descriptors });
      return answered(reply, answer, request.headers.accept);
    };
    const url = `/auth/${proxy}`;
    app.get(url, { schema, handler });
    app.route({ method: others, url, schema: { ...schema, hide: true }, handler });
  }
}

/** Answers with what is left, or with a refusal that the proxy can pass on. */
function answered(
  reply: FastifyReply,
  response: LimitResponse,
  accept: string | undefined,
): FastifyReply {
  for (const [name, value] of statusHeaders(response)) reply.header(name, value);
  const { joint } = response;
  if (joint === undefined || joint.ok) return reply.send();
  refuse(reply, joint);
  const { reason, retryAfter } = joint;
  const seconds = Number.isFinite(retryAfter) ? Math.ceil(retryAfter / 1000) : undefined;
  const policies = refusedPolicies(response);
  const problem = problemOf({ reason, retryAfter: seconds, policies });
  const { contentType, text } = problemBody(problem, accept);
  return reply.header("cache-control", "no-store").type(contentType).send(text);
}

/** The true status of an answer whose status `?refuse=` has replaced. */
const TRUE_STATUS = "spillway-status";

/** Replaces the status of every answer that refuses, for proxies that pass only some on. */
function answerByRefuse(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const { refuse: status = "" } = request.query as AuthQuery;
    if (reply.statusCode >= 400 && STATUSES.includes(status)) {
      reply.header(TRUE_STATUS, String(reply.statusCode)).code(Number(status));
    }
    return payload;
  });
}

/** The statuses that proxies pass on. */
const STATUSES = ["401", "403", "429", "503"];

const query = closed({
  domain: described("string", "The domain. Default: the only one with an http section"),
  hops: {
    ...described(
      "string",
      "The client is that entry of X-Forwarded-For from the right. Default: 1",
    ),
    enum: ["1", "2", "3", "4", "5", "6", "7", "8"],
  },
  refuse: {
    ...described("string", "The status of refusals; Spillway-Status then has the true one"),
    enum: STATUSES,
  },
});

const schema = {
  summary: "Take from the limits of a request that a proxy describes in headers",
  querystring: query,
  response: {
    200: { description: "Admitted, or no limit; RateLimit and RateLimit-Policy say what is left" },
    400: problemResponse("The proxy describes no request, or a bad one"),
    401: problemResponse("The rules refuse a token that does not verify"),
    403: problemResponse("The request comes from a web page"),
    404: problemResponse("The domain has no http section"),
    429: refusal("Refused; Retry-After says when to come back"),
    503: refusal("Refused, because the store gave no answer, or the keys of tokens are not known"),
  },
};

function refusal(description: string) {
  return {
    description,
    content: {
      // Errors are sent as objects, limits as texts.
      ...problemResponse(description).content,
      "text/html; charset=utf-8": { schema: { type: "string" } },
      "text/plain; charset=utf-8": { schema: { type: "string" } },
    },
  };
}
