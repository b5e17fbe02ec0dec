/** Spillway's own API: what the library can be asked, by HTTP. */
import type { FastifyInstance } from "fastify";
import type { KeyRequest, LeaseRequest, LimitRequest, Service } from "../../../service/index.ts";
import type { Admit } from "../access.ts";
import { acceptJson } from "../bodies.ts";
import { refuse } from "../refuse.ts";
import { jsonResponse, STORE_SILENT } from "../responses.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { addCommandRoute } from "./command-route.ts";
import { checkDomain } from "./domain.ts";
import { toResponse, toValues } from "./response.ts";
import { problemResponses } from "./response-schemas.ts";
import { SCHEMAS } from "./schemas.ts";

export type RoutesOptions = {
  readonly service: Service;
  readonly admitAdmin: Admit;
  readonly admitStore: Admit;
};

/** Adds the routes of `/v1`. */
export async function v1Routes(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  acceptJson(app, "application/json");
  for (const schema of SCHEMAS) app.addSchema(schema);
  for (const verb of ["limit", "check", "acquire"] as const) addDecision(app, verb, options);
  for (const verb of ["renew", "release"] as const) addLeaseChange(app, verb, options);
  addValue(app, options);
  addAdminRoutes(app, options);
  addCommandRoute(app, options);
}

const SUMMARIES = {
  limit: "Take from every budget that the descriptors lead to: from all of them or from none",
  check: "Answer what limit would answer now, and take nothing",
  acquire: "Take as limit does, where a concurrency limit is met: in flight until it is released",
  renew: "Let a lease last for its whole time from now on",
  release: "Give back what a lease holds",
  value: "Read what is left",
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
    503: STORE_SILENT,
  };
  const schema = { summary: SUMMARIES[verb], body: { $ref: "LeaseRequest#" }, response };
  app.post<{ Body: LeaseRequest }>(`/v1/${verb}`, { schema }, async ({ body }) => {
    checkDomain(service, body.domain);
    return service[verb](body);
  });
}

function addValue(app: FastifyInstance, { service }: RoutesOptions): void {
  const response = {
    200: jsonResponse("What is left", "ValuesResponse"),
    ...problemResponses,
    503: STORE_SILENT,
  };
  const schema = { summary: SUMMARIES.value, body: { $ref: "KeyRequest#" }, response };
  app.post<{ Body: KeyRequest }>("/v1/value", { schema }, async ({ body }) => {
    checkDomain(service, body.domain);
    return toValues(await service.value(body));
  });
}
