/** Spillway's own API: the calls of the library, over HTTP. */
import type { FastifyInstance } from "fastify";
import type {
  KeyRequest,
  LimitRequest,
  NoteDirect,
  RequestWithLease,
  Service,
} from "../../../service/index.ts";
import type { Admit } from "../access.ts";
import { acceptJson } from "../bodies.ts";
import { refuse } from "../refuse.ts";
import { jsonResponse, STORE_SILENT } from "../responses.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { addCommandRoute } from "./command-route.ts";
import { posting } from "./post-route.ts";
import { toResponse, toValues } from "./response.ts";
import { SCHEMAS } from "./schemas.ts";

export type RoutesOptions = {
  readonly service: Service;
  readonly admitAdmin: Admit;
  readonly admitStore: Admit;
  readonly onAdminCall?: NoteDirect | undefined;
};

/** Adds the routes of `/v1`. */
export async function v1Routes(app: FastifyInstance, options: RoutesOptions): Promise<void> {
  acceptJson(app, "application/json");
  for (const schema of SCHEMAS) app.addSchema(schema);
  addVerbs(app, options.service);
  addAdminRoutes(app, options);
  addCommandRoute(app, options);
}

const SUMMARIES = {
  limit: "Take from every budget that the descriptors match: from all of them or from none",
  check: "Return the decision of limit without taking anything",
  acquire: "Take units of a concurrency limit, which stay in flight until released",
  renew: "Renew a lease for its full ttl",
  release: "Release the units of a lease",
  value: "Read what is left",
} as const;

const DECIDED = {
  200: jsonResponse("Admitted", "LimitResponse"),
  429: jsonResponse("Refused; try again after `retryAfter`", "LimitResponse"),
  503: jsonResponse("Refused, because the store gave no answer", "LimitResponse"),
};

const HELD = {
  200: jsonResponse("Whether the lease was still held", "LeaseResponse"),
  503: STORE_SILENT,
};
const LEFT = { 200: jsonResponse("What is left", "ValuesResponse"), 503: STORE_SILENT };

type RouteVerb = keyof typeof SUMMARIES;

function addVerbs(app: FastifyInstance, service: Service): void {
  const add = posting(app, service);
  const route = (verb: RouteVerb, body: string, responses: object) => {
    return { verb, summary: SUMMARIES[verb], body, responses };
  };
  for (const verb of ["limit", "check", "acquire"] as const) {
    add<LimitRequest>(route(verb, "LimitRequest", DECIDED), async (body, reply) => {
      const response = await service[verb](body);
      if (response.joint?.ok === false) refuse(reply, response.joint);
      return toResponse(response);
    });
  }
  for (const verb of ["renew", "release"] as const) {
    add<RequestWithLease>(route(verb, "LeaseRequest", HELD), (body) => service[verb](body));
  }
  add<KeyRequest>(route("value", "KeyRequest", LEFT), async (body) =>
    toValues(await service.value(body)),
  );
}
