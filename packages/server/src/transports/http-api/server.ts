import { type FastifyInstance, fastify } from "fastify";
import type { Warn } from "spillway/core";
import { consoleWarn } from "spillway/support";
import type { NoteDirect, OnRequest, Service } from "../../service/index.ts";
import type { EnvoyOptions } from "../envoy/index.ts";
import { type Defence, HeldBytes } from "../intake/index.ts";
import { accessTo, type TokenSource, tokenNow } from "./access.ts";
import { authRoutes } from "./auth/routes.ts";
import { ignoreBodies } from "./bodies.ts";
import { schemaController } from "./compiled.ts";
import { envoyJsonRoutes } from "./envoy-json/routes.ts";
import { finishFirst, STOP_TIMES } from "./finish-first.ts";
import { gather } from "./gather.ts";
import { healthRoutes } from "./health.ts";
import { type MetricsPage, metricsRoute } from "./metrics.ts";
import { type ConnectionBounds, DEFAULT_BOUNDS, type OnAnswered } from "./node/bounds.ts";
import { nodeServer } from "./node/server.ts";
import { answerNotFound } from "./not-found.ts";
import { addOpenApi } from "./openapi.ts";
import { problemSender } from "./problems.ts";
import { LONGEST_BODY } from "./read-body.ts";
import { problemSchema } from "./responses.ts";
import { traceRequests } from "./tracing.ts";
import { type LogLevels, logRoute } from "./v1/log-route.ts";
import { v1Routes } from "./v1/routes.ts";
import type { AskRules } from "./v1/rules-contract.ts";
import { rulesRoutes } from "./v1/rules-routes.ts";
import { changedRulesSchema, runningRulesSchema } from "./v1/rules-schemas.ts";
import { bodyError } from "./validation.ts";
import { refuseWebPages } from "./web-pages.ts";

export type HttpServerOptions = {
  readonly service: Service;
  /** Additions to the responses of `/json`. Default: none. */
  readonly envoy?: EnvoyOptions | undefined;
  /** Why the rules in use differ from the files, for `/healthcheck`; undefined if they do not. */
  readonly trouble?: (() => string | undefined) | undefined;
  /**
   * The token for admin calls: resets, settlements, blocks. At least 16 visible ASCII characters,
   * like the other tokens. Without it, only a server on a loopback address answers these calls. A
   * function returns the token as it is now, so that it can be replaced.
   */
  readonly adminToken?: TokenSource;
  /**
   * Whether administrators have a listener of their own. Then admin calls always need the token.
   * Default: no.
   */
  readonly isAdminElsewhere?: boolean | undefined;
  /**
   * Called before `/v1/reset`, `/v1/block` and `/v1/unblock` change something, which waits for the
   * promise. If it rejects, nothing is changed. Default: none.
   */
  readonly onAdminCall?: NoteDirect | undefined;
  /**
   * The token for programs whose store is this service (`spillway/service`), or that follow its
   * rules. Default: the admin token.
   */
  readonly storeToken?: string | undefined;
  /** Reads and changes rules for `/v1/rules`. Default: that route does not exist. */
  readonly askRules?: AskRules | undefined;
  /** Receives errors of the service itself. Default: the console. */
  readonly warn?: Warn;
  /**
   * While the server closes: how many milliseconds without a request close a connection. Default:
   * 1000. A shorter time ends the stop sooner, but more clients may be about to send a request.
   */
  readonly quiet?: number;
  /**
   * Origins whose web pages may call, such as `https://shop.example`; `*` stands for all. Default:
   * none, so that `/v1` and `/json` answer no request of a web page.
   */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Bounds on the resources that clients can use; see `ConnectionBounds`. */
  readonly bounds?: Partial<ConnectionBounds> | undefined;
  /**
   * Bounds the bytes that bodies of all connections hold. Several servers can share it. Default:
   * one of its own.
   */
  readonly held?: HeldBytes | undefined;
  /** Called each time a bound makes the server cut or refuse a connection, or drop a body. */
  readonly onDefence?: ((defence: Defence) => void) | undefined;
  /**
   * Whether the server is stopping, which `/readyz` and `/healthcheck` report. It still answers
   * requests. Default: true once it closes.
   */
  readonly isStopping?: (() => boolean) | undefined;
  /** Called after each response. It must not throw. Default: none. */
  readonly onAnswered?: OnAnswered | undefined;
  /** Creates traces of requests. Default: none. */
  readonly onRequest?: OnRequest | undefined;
  /** The page of `/metrics`. Default: none. */
  readonly metrics?: MetricsPage | undefined;
  /** A token for `/metrics`, in addition to the admin token. Default: none. */
  readonly metricsToken?: string | undefined;
  /** The log that `/v1/log` changes. Default: that route does not exist. */
  readonly log?: LogLevels | undefined;
};

/**
 * Creates the HTTP transport of a service. `listen` opens it, `close` finishes what is under way.
 */
export async function createServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { warn = consoleWarn, onDefence = () => {}, quiet = STOP_TIMES.quiet } = options;
  const { onAnswered, held = new HeldBytes() } = options;
  const sendProblem = problemSender(warn);
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const app = fastify({
    bodyLimit: LONGEST_BODY,
    serverFactory: (handle) =>
      nodeServer(handle, {
        bounds,
        onDefence,
        onAnswered,
        onClosed: (socket, response) => stop.ended(socket, response),
      }),
    // The server has its own handler.
    clientErrorHandler: () => {},
    // While the server closes it answers as usual. Connections left at the end are cut.
    return503OnClosing: false,
    forceCloseConnections: true,
    // Closing may take longer than 10 s, after which Fastify itself would give up.
    pluginTimeout: 0,
    schemaController,
    schemaErrorFormatter: bodyError,
    frameworkErrors: sendProblem,
  });
  app.decorate("intake", { held, onDropped: () => onDefence("message-dropped") });
  const stop = finishFirst(app, gather(app), { ...STOP_TIMES, quiet });
  app.setErrorHandler(sendProblem);
  answerNotFound(app);
  addOpenApi(app);
  const isStopping = () => stop.isStopping || options.isStopping?.() === true;
  addRoutes(app, { ...options, isStopping });
  return app;
}

type ApiRouteOptions = HttpServerOptions & { readonly isStopping: () => boolean };

function addRoutes(app: FastifyInstance, options: ApiRouteOptions): void {
  const {
    service,
    envoy = {},
    adminToken,
    onAdminCall,
    allowOrigins = [],
    isStopping,
    trouble,
    askRules,
    metrics,
    log,
  } = options;
  const { admitAdmin, admitStore, admitMetrics } = accessTo(app.server, options);
  // Envoy's service answers every method, so GET may have a body here.
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  ignoreBodies(app);
  for (const schema of [problemSchema, runningRulesSchema, changedRulesSchema]) {
    app.addSchema(schema);
  }
  app.register(async (guarded) => {
    refuseWebPages(guarded, { allowOrigins, adminToken: tokenNow(adminToken) });
    if (options.onRequest !== undefined) traceRequests(guarded, options.onRequest);
    guarded.register(v1Routes, { service, admitAdmin, admitStore, onAdminCall });
    if (askRules !== undefined) guarded.register(rulesRoutes, { askRules, admitAdmin, admitStore });
    guarded.register(envoyJsonRoutes, { service, envoy });
    guarded.register(authRoutes, { service });
    if (log !== undefined) guarded.register(logRoute, { log, admitAdmin });
    if (metrics !== undefined) guarded.register(metricsRoute, { metrics, admitMetrics });
  });
  app.register(healthRoutes, { service, isStopping, trouble });
}
