/** Spillway's own API: `POST /v1/limit`, `/v1/check` and `/v1/reset`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { display, nearest } from "spillway/core";
import type { Question, Service, Verdict } from "../../../service/index.ts";
import type { ResetGuard } from "../access.ts";
import { acceptJson } from "../bodies.ts";
import { refuse } from "../refuse.ts";
import { RequestError } from "../request-error.ts";
import { jsonResponse, problemResponse } from "../responses.ts";
import { toAnswer } from "./answer.ts";
import { answerSchema, askSchema, problemResponses, resetSchema } from "./schemas.ts";

export type RoutesOptions = {
  readonly service: Service;
  readonly guardReset: ResetGuard;
};

/** Adds the routes of `/v1`. */
export async function v1Routes(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  acceptJson(app, "application/json");
  for (const schema of [askSchema, resetSchema, answerSchema]) app.addSchema(schema);
  addAsk(app, "limit", options);
  addAsk(app, "check", options);
  addReset(app, options);
}

const SUMMARIES = {
  limit: "Take from every budget that the descriptors lead to: from all of them or from none",
  check: "Answer what limit would answer now, and take nothing",
} as const;

function addAsk(app: FastifyInstance, mode: "limit" | "check", { service }: RoutesOptions): void {
  const response = {
    200: jsonResponse("Go", "Answer"),
    429: jsonResponse("No, and when to come back", "Answer"),
    503: jsonResponse("No, for the store gave no answer", "Answer"),
    ...problemResponses,
  };
  const schema = { summary: SUMMARIES[mode], body: { $ref: "Ask#" }, response };
  app.post<{ Body: Question }>(`/v1/${mode}`, { schema }, async ({ body }, reply) => {
    checkDomain(service, body.domain);
    return answer(reply, await service[mode](body));
  });
}

const resetRoute = {
  summary: "Forget what the budgets have used, and tell how they stand then",
  security: [{ adminToken: [] }],
  body: { $ref: "Reset#" },
  response: {
    200: jsonResponse("Done", "Answer"),
    ...problemResponses,
    401: problemResponse("The admin token is needed"),
    403: problemResponse("Resets are shut without an admin token; or the request is a web page's"),
    503: problemResponse("The store gave no answer"),
  },
};

function addReset(app: FastifyInstance, { service, guardReset }: RoutesOptions): void {
  // Before the body is read, so that strangers can't even make it be read.
  const onRequest = async ({ headers }: FastifyRequest) =>
    guardReset(headers.authorization, app.server.address());
  const options = { schema: resetRoute, onRequest };
  app.post<{ Body: Question }>("/v1/reset", options, async ({ body }) => {
    checkDomain(service, body.domain);
    return toAnswer(await service.reset(body));
  });
}

function answer(reply: FastifyReply, verdict: Verdict): ReturnType<typeof toAnswer> {
  if (verdict.joint?.ok === false) refuse(reply, verdict.joint);
  return toAnswer(verdict);
}

function checkDomain({ rules }: Service, domain: string): void {
  if (rules.domains.has(domain)) return;
  const near = nearest(domain, rules.domains.keys());
  const hint = near === undefined ? "" : `. Did you mean ${display(near)}?`;
  const detail = `Found the domain ${display(domain)}, expected one that has rules${hint}`;
  throw new RequestError({ status: 404, code: "unknown-domain", detail });
}
