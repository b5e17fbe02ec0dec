/** The route for programs whose store is this service: many commands in one request. */
import type { FastifyInstance } from "fastify";
import type { RemoteRequest } from "spillway/service";
import { COMMANDS_PATH } from "spillway/service";
import type { Service } from "../../../service/index.ts";
import type { Admit } from "../access.ts";
import { jsonResponse, problemResponse } from "../responses.ts";
import { problemResponses } from "./response-schemas.ts";

/** The longest body, in bytes: a thousand budgets with the longest keys, escaped for JSON. */
const LONGEST = 4 * 1024 * 1024;

type CommandRouteOptions = { readonly service: Service; readonly admitStore: Admit };

/** Adds the route. */
export function addCommandRoute(
  app: FastifyInstance,
  { service, admitStore }: CommandRouteOptions,
): void {
  const options = { schema, onRequest: admitStore, bodyLimit: LONGEST };
  app.post<{ Body: RemoteRequest }>(COMMANDS_PATH, options, async ({ body }) =>
    service.execute(body),
  );
}

const schema = {
  summary:
    "Carry out commands on budgets of limits that the caller defines: what serviceStore sends",
  security: [{ storeToken: [] }],
  body: { $ref: "RemoteRequest#" },
  response: {
    200: jsonResponse("An outcome per command, in the same order", "RemoteResponse"),
    ...problemResponses,
    401: problemResponse("The token for stores or the admin token is required"),
    403: problemResponse("A token is required, or the request comes from a web page"),
    413: problemResponse(`The body is over ${LONGEST} bytes`),
  },
};
