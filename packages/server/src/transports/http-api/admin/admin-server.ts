/** An administration listener: a server of its own, with a guard of its own. */
import { type FastifyInstance, fastify } from "fastify";
import type { Clock, Warn } from "spillway/core";
import type { Administration } from "../../../service/index.ts";
import { HeldBytes } from "../../intake/index.ts";
import { acceptJson, ignoreBodies } from "../bodies.ts";
import { schemaController } from "../compiled.ts";
import { DEFAULT_BOUNDS } from "../node/bounds.ts";
import { nodeServer } from "../node/server.ts";
import { answerNotFound } from "../not-found.ts";
import { problemSender } from "../problems.ts";
import { LONGEST_BODY } from "../read-body.ts";
import { problemSchema } from "../responses.ts";
import { settleSchema } from "../v1/request-schemas.ts";
import { valuesSchema } from "../v1/response-schemas.ts";
import { bodyError } from "../validation.ts";
import type { AdminGuard } from "./caller.ts";
import { changeRoutes } from "./change-routes.ts";
import { refuseForeign } from "./own-host.ts";
import { readRoutes } from "./read-routes.ts";
import { RefusedTries } from "./refused-tries.ts";
import { ADMIN_RESPONSES, adminKeySchema, CHANGE_BODIES } from "./schemas.ts";

export type AdminServerOptions = {
  readonly administration: Administration;
  /** `socket` for a Unix socket, whose permissions are the guard. */
  readonly guard: AdminGuard;
  /** The address that it listens on; undefined for a Unix socket, which browsers can't reach. */
  readonly host: string | undefined;
  readonly clock: Clock;
  /** Receives errors of the service itself. */
  readonly warn: Warn;
};

/** There are few administrators. */
const BOUNDS = { ...DEFAULT_BOUNDS, maxConnections: 100, maxPipelined: 100 };

const SCHEMAS = [
  problemSchema,
  settleSchema,
  valuesSchema,
  adminKeySchema,
  ...ADMIN_RESPONSES,
  ...Object.values(CHANGE_BODIES),
];

/** Creates the server. `listen` opens it, `close` ends it. */
export async function createAdminServer(options: AdminServerOptions): Promise<FastifyInstance> {
  const { administration, guard, host, clock, warn } = options;
  const sendProblem = problemSender(warn);
  const app = fastify({
    bodyLimit: LONGEST_BODY,
    serverFactory: (handle) => nodeServer(handle, { bounds: BOUNDS, onDefence: () => {} }),
    clientErrorHandler: () => {},
    return503OnClosing: false,
    forceCloseConnections: true,
    schemaController,
    schemaErrorFormatter: bodyError,
    frameworkErrors: sendProblem,
  });
  app.decorate("intake", { held: new HeldBytes(), onDropped: () => {} });
  const tries = new RefusedTries({ administration, guard, clock });
  app.setErrorHandler(async (error: Error, request, reply) => {
    await tries.note(error, request);
    return sendProblem(error, request, reply);
  });
  answerNotFound(app, "docs/service/http-api.md");
  ignoreBodies(app);
  for (const schema of SCHEMAS) app.addSchema(schema);
  app.register(async (guarded) => {
    if (host !== undefined) refuseForeign(guarded, host);
    acceptJson(guarded, "application/json");
    guarded.register(changeRoutes, { administration, guard });
    guarded.register(readRoutes, { administration, guard });
  });
  return app;
}
