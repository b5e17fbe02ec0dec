/** A port of its own for those who operate the service: `/metrics`, `/livez` and `/readyz`. */
import { type FastifyInstance, fastify } from "fastify";
import type { Warn } from "spillway/core";
import { consoleWarn } from "spillway/support";
import type { Service } from "../../service/index.ts";
import type { Defence } from "../intake/index.ts";
import { type Admit, accessTo } from "./access.ts";
import { ignoreBodies } from "./bodies.ts";
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
  /** Whether the service is to be sent no more requests. Default: never. */
  readonly isStopping?: (() => boolean) | undefined;
  /** Why the rules in use are not those of the files; undefined where they are. */
  readonly trouble?: (() => string | undefined) | undefined;
  /** The token that readers need. Default: none; whoever reaches the port may read. */
  readonly metricsToken?: string | undefined;
  /** Receives mistakes of the service's own. Default: the console. */
  readonly warn?: Warn;
  /** Is called each time that a connection is closed or cut for the sake of others. Default: nobody is. */
  readonly onDefence?: ((defence: Defence) => void) | undefined;
};

/** Scrapers are few. */
const BOUNDS = { ...DEFAULT_BOUNDS, maxConnections: 100, maxPipelined: 100 };

/** Its bound is its own, not that of `--max-connections`. */
const ofThisPort = (onDefence: (defence: Defence) => void) => (defence: Defence) =>
  onDefence(defence === "connection-refused" ? "metrics-connection-refused" : defence);

/** Makes it; `app.listen` opens it, `app.close` ends it. */
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
    frameworkErrors: sendProblem,
  });
  app.setErrorHandler(sendProblem);
  answerNotFound(app);
  ignoreBodies(app);
  app.addSchema(problemSchema);
  app.register(healthRoutes, { service, isStopping, trouble });
  // Its operator has opened the port for this: the address alone shuts nobody out.
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
