/** Spillway's own API: what the library can be asked, by HTTP. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { display } from "spillway/core";
import { RequestError } from "../../../request-error.ts";
import type { LeaseRequest, LimitRequest, Service } from "../../../service/index.ts";
import type { ResetGuard } from "../access.ts";
import { acceptJson } from "../bodies.ts";
import { refuse } from "../refuse.ts";
import { jsonResponse, problemResponse } from "../responses.ts";
import { toResponse } from "./response.ts";
import {
  leaseRequestSchema,
  leaseResponseSchema,
  problemResponses,
  requestSchema,
  resetSchema,
  responseSchema,
} from "./schemas.ts";

export type RoutesOptions = {
  readonly service: Service;
  readonly guardReset: ResetGuard;
};

/** Adds the routes of `/v1`. */
export async function v1Routes(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  acceptJson(app, "application/json");
  for (const schema of SCHEMAS) app.addSchema(schema);
  for (const verb of ["limit", "check", "acquire"] as const) addDecision(app, verb, options);
  for (const verb of ["renew", "release"] as const) addLeaseChange(app, verb, options);
  addReset(app, options);
}

const SCHEMAS = [
  requestSchema,
  leaseRequestSchema,
  leaseResponseSchema,
  resetSchema,
  responseSchema,
];

const SUMMARIES = {
  limit: "Take from every budget that the descriptors lead to: from all of them or from none",
  check: "Answer what limit would answer now, and take nothing",
  acquire: "Take as limit does, where a concurrency limit is met: in flight until it is released",
  renew: "Let a lease last for its whole time from now on",
  release: "Give back what a lease holds",
} as const;

type Deciding = "limit" | "check" | "acquire";

function addDecision(app: FastifyInstance, verb: Deciding, { service }: RoutesOptions): void {
  const response = {
    200: jsonResponse("Admitted", "LimitResponse"),
    429: jsonResponse("Refused; when to come back", "LimitResponse"),
    503: jsonResponse("Refused, for the store gave no answer", "LimitResponse"),
    ...problemResponses,
  };
  const schema = { summary: SUMMARIES[verb], body: { $ref: "LimitRequest#" }, response };
  app.post<{ Body: LimitRequest }>(`/v1/${verb}`, { schema }, async ({ body }, reply) => {
    checkDomain(service, body.domain);
    const response = await service[verb](body);
    if (response.joint?.ok === false) refuse(reply, response.joint);
    return toResponse(response);
  });
}

function addLeaseChange(
  app: FastifyInstance,
  verb: "renew" | "release",
  { service }: RoutesOptions,
): void {
  const response = {
    200: jsonResponse("Whether it was still held", "LeaseResponse"),
    ...problemResponses,
    503: problemResponse("The store gave no answer"),
  };
  const schema = { summary: SUMMARIES[verb], body: { $ref: "LeaseRequest#" }, response };
  app.post<{ Body: LeaseRequest }>(`/v1/${verb}`, { schema }, async ({ body }) => {
    checkDomain(service, body.domain);
    return service[verb](body);
  });
}

const resetRoute = {
  summary: "Forget what the budgets have used, and return their state after that",
  security: [{ adminToken: [] }],
  body: { $ref: "ResetRequest#" },
  response: {
    200: jsonResponse("Done", "LimitResponse"),
    ...problemResponses,
    401: problemResponse("The admin token is needed"),
    403: problemResponse("Resets need an admin token here; or the request is a web page's"),
    503: problemResponse("The store gave no answer"),
  },
};

function addReset(app: FastifyInstance, { service, guardReset }: RoutesOptions): void {
  // Before the body is read, so that strangers can't even make it be read.
  const onRequest = async ({ headers }: FastifyRequest) =>
    guardReset(headers.authorization, app.server.address());
  const options = { schema: resetRoute, onRequest };
  app.post<{ Body: LimitRequest }>("/v1/reset", options, async ({ body }) => {
    checkDomain(service, body.domain);
    return toResponse(await service.reset(body));
  });
}

/**
 * Suggests no name: strangers could guess domains one by one, and the search for the nearest of
 * many would cost more than a decision.
 */
function checkDomain({ rules }: Service, domain: string): void {
  if (rules.domains.has(domain)) return;
  const detail = `Found the domain ${display(domain)}, expected one that a rule file names`;
  throw new RequestError({ status: 404, code: "unknown-domain", detail });
}
