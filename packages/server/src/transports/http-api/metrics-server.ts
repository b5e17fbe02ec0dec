/** A separate port for operators: `/metrics`, `/livez` and `/readyz`. */
import { type FastifyInstance, fastify } from "fastify";
import type { Warn } from "spillway/core";
import { consoleWarn } from "spillway/support";
import type { Service } from "../../service/index.ts";
import type { Defence } from "../intake/index.ts";
import { type Admit, accessTo } from "./access.ts";
import { ignoreBodies } from "./bodies.ts";
import { schemaController } from "./compiled.ts";
import { healthRoutes } from "./health.ts";
import { type MetricsPage, metricsRoute } from "./metrics.ts";
import { DEFAULT_BOUNDS } from "./node/bounds.ts";
import { nodeServer } from "./node/server.ts";
import { answerNotFound } from "./not-found.ts";
import { problemSender } from "./problems.ts";
import { LONGEST_BODY } from "./read-body.ts";
import { problemSchema } from "./responses.ts";
import { refuseWebPages } from "./web-pages.ts";

export type MetricsServerOptions = {
  readonly metrics: MetricsPage;
  readonly service: Service;
  /** Whether the service should receive no more requests. Default: never. */
  readonly isStopping?: (() => boolean) | undefined;
  /** Why the rules in use differ from the files; undefined if they do not. */
  readonly trouble?: (() => string | undefined) | undefined;
  /** The token that readers need. Default: none, so that every client of the port may read. */
  readonly metricsToken?: string | undefined;
  /** Receives errors of the service itself. Default: the console. */
  readonly warn?: Warn;
  /** Called for each connection that is refused or cut to protect the service. Default: none. */
  readonly onDefence?: ((defence: Defence) => void) | undefined;
};

/** There are few scrapers. */
const BOUNDS = { ...DEFAULT_BOUNDS, maxConnections: 100, maxPipelined: 100 };

/** The port has its own maximum, not that of `--max-connections`. */
const ofThisPort = (onDefence: (defence: Defence) => void) => (defence: Defence) =>
  onDefence(defence === "connection-refused" ? "metrics-connection-refused" : defence);

/** Creates the server. `app.listen` opens it, `app.close` ends it. */
export async function createMetricsServer(options: MetricsServerOptions): Promise<FastifyInstance> {
  const { metrics, service, trouble, metricsToken, warn = consoleWarn } = options;
  const { isStopping = () => false } = options;
  const onDefence = ofThisPort(options.onDefence ?? (() => {}));
  const sendProblem = problemSender(warn);
  const app = fastify({
    bodyLimit: LONGEST_BODY,
    serverFactory: (handle) => nodeServer(handle, { bounds: BOUNDS, onDefence }),
    clientErrorHandler: () => {},
    return503OnClosing: false,
    forceCloseConnections: true,
    schemaController,
    frameworkErrors: sendProblem,
  });
  app.setErrorHandler(sendProblem);
  answerNotFound(app);
  ignoreBodies(app);
  app.addSchema(problemSchema);
  app.register(healthRoutes, { service, isStopping, trouble });
  // The operator has opened the port for this purpose, so the address alone refuses no client.
  const admitAll: Admit = async () => {};
  const { admitMetrics } =
    metricsToken === undefined
      ? { admitMetrics: admitAll }
      : accessTo(app.server, { metricsToken });
  app.register(async (guarded) => {
    refuseWebPages(guarded, { allowOrigins: [], adminToken: metricsToken });
    guarded.register(metricsRoute, { metrics, admitMetrics });
  });
  return app;
}
