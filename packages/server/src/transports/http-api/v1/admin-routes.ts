/** What changes budgets other than by taking: for those who run the service, and programs they trust. */
import type { FastifyInstance } from "fastify";
import type { BlockRequest, KeyRequest, Service, SettleRequest } from "../../../service/index.ts";
import type { Admit } from "../access.ts";
import { jsonResponse, problemResponse, STORE_SILENT } from "../responses.ts";
import { checkDomain } from "./domain.ts";
import { toResponse, toValues } from "./response.ts";
import { problemResponses } from "./response-schemas.ts";

type AdminOptions = { readonly service: Service; readonly admitAdmin: Admit };

/** Adds resets, settlements and blocks. */
export function addAdminRoutes(app: FastifyInstance, { service, admitAdmin }: AdminOptions): void {
  const add = adder(app, { service, admitAdmin });
  add<KeyRequest>(RESET, async (body) => toResponse(await service.reset(body)));
  add<SettleRequest>(SETTLE, async (body) => toValues(await service.settle(body)));
  add<BlockRequest>(BLOCK, async (body) => toValues(await service.block(body)));
  add<KeyRequest>(UNBLOCK, async (body) => toValues(await service.unblock(body)));
}

type Route = {
  readonly verb: string;
  readonly summary: string;
  readonly body: string;
  readonly response: string;
};

const RESET = {
  verb: "reset",
  summary: "Forget what the budgets have used, and return their state after that",
  body: "KeyRequest",
  response: "LimitResponse",
};

const SETTLE = {
  verb: "settle",
  summary: "Replace estimates that were taken by what was really used",
  body: "SettleRequest",
  response: "ValuesResponse",
};

const BLOCK = {
  verb: "block",
  summary: "Refuse everything for a time, in place of any earlier block",
  body: "BlockRequest",
  response: "ValuesResponse",
};

const UNBLOCK = {
  verb: "unblock",
  summary: "End blocks; what was used stays",
  body: "KeyRequest",
  response: "ValuesResponse",
};

function adder(app: FastifyInstance, { service, admitAdmin }: AdminOptions) {
  return <B extends { readonly domain: string }>(
    route: Route,
    answer: (body: B) => Promise<object>,
  ) => {
    // Before the body is read, so that strangers can't even make it be read.
    const options = { schema: schemaOf(route), onRequest: admitAdmin };
    app.post<{ Body: B }>(`/v1/${route.verb}`, options, async ({ body }) => {
      checkDomain(service, (body as B).domain);
      return answer(body as B);
    });
  };
}

function schemaOf({ summary, body, response }: Route) {
  return {
    summary,
    security: [{ adminToken: [] }],
    body: { $ref: `${body}#` },
    response: {
      200: jsonResponse("Done", response),
      ...problemResponses,
      401: problemResponse("The admin token is needed"),
      403: problemResponse("This needs an admin token here; or the request is a web page's"),
      503: STORE_SILENT,
    },
  };
}
