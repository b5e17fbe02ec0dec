/** `/auth/…`: whether a proxy may pass a request on. The rules classify it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Classifier, classifier, type Service } from "../../../service/index.ts";
import { type AskedAnswer, askFirst } from "../../asking/index.ts";
import { closed, described } from "../json-schema.ts";
import { problemResponse } from "../responses.ts";
import { allOf, envoyRequest, originalRequest, PROXIES } from "./original-request.ts";

type AuthOptions = { readonly service: Service };

/** The query of a proxy. */
type AuthQuery = { readonly domain?: string; readonly hops?: string; readonly refuse?: string };

/** Adds a route for each proxy, which answers every method alike. */
export async function authRoutes(app: FastifyInstance, { service }: AuthOptions): Promise<void> {
  const classified = classifier();
  const others = app.supportedMethods.filter((method) => method !== "GET" && method !== "HEAD");
  for (const [proxy, headers] of Object.entries(PROXIES)) {
    const handler = async (asked: FastifyRequest, reply: FastifyReply) => {
      const { domain, hops = "1" } = asked.query as AuthQuery;
      const request = originalRequest(headers, { asked: asked.raw, hops: Number(hops) });
      const accept = () => allOf(asked.raw, "accept");
      return send(reply, await askFirst({ service, classified, domain, request, accept }));
    };
    const route = { url: `/auth/${proxy}`, handler, onSend: answerByRefuse };
    app.route({ ...route, method: "GET", schema });
    app.route({ ...route, method: others, schema: { ...schema, hide: true } });
  }
  addEnvoy(app, { service }, classified);
}

/** The beginning of the paths by which Envoy asks; the domain and the original path follow. */
const ENVOY = "/auth/envoy/";

/** Envoy appends the original path to its `path_prefix`, so a query would be the client's. */
function addEnvoy(app: FastifyInstance, { service }: AuthOptions, classified: Classifier): void {
  const handler = async (asked: FastifyRequest, reply: FastifyReply) => {
    const [, domain = ""] = /^\/auth\/envoy\/([^/?#]*)/.exec(asked.raw.url ?? "") ?? [];
    const request = envoyRequest(asked.raw, ENVOY + domain);
    const accept = () => allOf(asked.raw, "accept");
    const named = { domain: decodeURIComponent(domain), request, accept };
    return send(reply, await askFirst({ service, classified, ...named }));
  };
  const { querystring: _, ...others } = schema;
  app.all(`${ENVOY}*`, { schema: { ...others, hide: true }, handler });
}

/** Answers with what is left, or with a refusal that the proxy can pass on. */
function send(reply: FastifyReply, { status, headers, body }: AskedAnswer): FastifyReply {
  for (const [name, value] of headers) reply.header(name, value);
  reply.code(status);
  return body === undefined ? reply.send() : reply.type(body.contentType).send(body.text);
}

/** The true status of an answer whose status `?refuse=` has replaced. */
const TRUE_STATUS = "spillway-status";

/** Replaces the status of an answer that refuses, for proxies that pass only some on. */
async function answerByRefuse(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { refuse: status = "" } = request.query as AuthQuery;
  if (reply.statusCode >= 400 && STATUSES.includes(status)) {
    reply.header(TRUE_STATUS, String(reply.statusCode)).code(Number(status));
  }
  return payload;
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
