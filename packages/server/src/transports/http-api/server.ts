import { type FastifyInstance, fastify } from "fastify";
import type { Warn } from "spillway/core";
import { consoleWarn } from "spillway/support";
import type { OnRequest, Service } from "../../service/index.ts";
import type { EnvoyOptions } from "../envoy/index.ts";
import { type Defence, HeldBytes } from "../intake/index.ts";
import { accessTo } from "./access.ts";
import { ignoreBodies } from "./bodies.ts";
import { envoyJsonRoutes } from "./envoy-json/routes.ts";
import { finishFirst, STOP_TIMES } from "./finish-first.ts";
import { gather } from "./gather.ts";
import { healthRoutes } from "./health.ts";
import { type MetricsPage, metricsRoute } from "./metrics.ts";
import { type Bounds, DEFAULT_BOUNDS, type OnAnswered } from "./node/bounds.ts";
import { nodeServer } from "./node/server.ts";
import { answerNotFound } from "./not-found.ts";
import { addOpenApi } from "./openapi.ts";
import { problemSender } from "./problems.ts";
import { LONGEST_BODY } from "./read-body.ts";
import { problemSchema } from "./responses.ts";
import { serializers } from "./serializers.ts";
import { traceRequests } from "./tracing.ts";
import { type LogLevels, logRoute } from "./v1/log-route.ts";
import { v1Routes } from "./v1/routes.ts";
import type { AskRules } from "./v1/rules-contract.ts";
import { rulesRoutes } from "./v1/rules-routes.ts";
import { changedRulesSchema, runningRulesSchema } from "./v1/rules-schemas.ts";
import { bodyError, validatorOptions } from "./validation.ts";
import { refuseWebPages } from "./web-pages.ts";

export type ServerOptions = {
  readonly service: Service;
  /** Additions to the answers of `/json`. Default: none. */
  readonly envoy?: EnvoyOptions | undefined;
  /** Why the rules in use are not those of the files, for `/healthcheck`; undefined where they are. */
  readonly trouble?: (() => string | undefined) | undefined;
  /**
   * What admin calls have to show: resets, settlements, blocks. At least 16 visible ASCII characters, as the
   * other tokens. Without one, only a server on a loopback address answers them at all.
   */
  readonly adminToken?: string | undefined;
  /**
   * What programs have to show whose store this service is (`spillway/service`). Default: what admin
   * calls have to.
   */
  readonly storeToken?: string | undefined;
  /** Reads and changes rules for `/v1/rules`. Default: there is no such route. */
  readonly askRules?: AskRules | undefined;
  /** Receives mistakes of the service's own. Default: the console. */
  readonly warn?: Warn;
  /**
   * While it closes: after how many milliseconds without a request a connection is closed. Default:
   * 1000. A shorter time ends it sooner, and is more likely to meet a client who is about to ask.
   */
  readonly quiet?: number;
  /**
   * Origins whose web pages may call, such as `https://shop.example`; `*` stands for all.
   * Default: none, so that no request of a web page is answered by `/v1` or `/json`.
   */
  readonly allowOrigins?: readonly string[] | undefined;
  /** How much clients can make the server hold; see `Bounds`. */
  readonly bounds?: Partial<Bounds> | undefined;
  /** Bounds what bodies of all connections hold, of several servers where they share it. Default: one of its own. */
  readonly held?: HeldBytes | undefined;
  /** Is called each time that a bound makes the server cut or refuse a connection, or drop a body. */
  readonly onDefence?: ((defence: Defence) => void) | undefined;
  /**
   * Whether it is to be sent no more requests, though it answers them: `/readyz` and `/healthcheck` say so. Default:
   * once it closes.
   */
  readonly isStopping?: (() => boolean) | undefined;
  /** Receives requests that have their answer. Default: nobody. It must not throw. */
  readonly onAnswered?: OnAnswered | undefined;
  /** Makes traces of requests. Default: none. */
  readonly onRequest?: OnRequest | undefined;
  /** The page of `/metrics`. Default: there is none. */
  readonly metrics?: MetricsPage | undefined;
  /** A token for `/metrics`, beside the admin token. Default: none. */
  readonly metricsToken?: string | undefined;
  /** The log that `/v1/log` sets. Default: there is no such route. */
  readonly log?: LogLevels | undefined;
};

/** Makes the HTTP transport of a service; `listen` opens it, `close` finishes what is under way. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { warn = consoleWarn, onDefence = () => {}, quiet = STOP_TIMES.quiet } = options;
  const { onAnswered, held = new HeldBytes() } = options;
  const sendProblem = problemSender(warn);
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const app = fastify({
    bodyLimit: LONGEST_BODY,
    serverFactory: (handle) => nodeServer(handle, { bounds, onDefence, onAnswered }),
    // The server has its own.
    clientErrorHandler: () => {},
    // While it closes it answers as ever; what is left then is cut.
    return503OnClosing: false,
    forceCloseConnections: true,
    // Closing takes what it takes: Fastify itself would give up after 10 s.
    pluginTimeout: 0,
    ajv: { customOptions: validatorOptions },
    schemaController: { compilersFactory: { buildSerializer: serializers } },
    schemaErrorFormatter: bodyError,
    frameworkErrors: sendProblem,
  });
  app.decorate("intake", { held, onDropped: () => onDefence("message-dropped") });
  const stop = finishFirst(app, gather(app), { ...STOP_TIMES, quiet });
  app.setErrorHandler(sendProblem);
  answerNotFound(app);
  await addOpenApi(app);
  const isStopping = () => stop.isStopping || options.isStopping?.() === true;
  addRoutes(app, { ...options, isStopping });
  return app;
}

type RouteOptions = ServerOptions & { readonly isStopping: () => boolean };

function addRoutes(app: FastifyInstance, options: RouteOptions): void {
  const {
    service,
    envoy = {},
    adminToken,
    allowOrigins = [],
    isStopping,
    trouble,
    askRules,
    metrics,
    log,
  } = options;
  const { admitAdmin, admitStore, admitMetrics } = accessTo(app.server, options);
  // Envoy's service answers whatever the method, so that GET may have a body here.
  app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
  ignoreBodies(app);
  for (const schema of [problemSchema, runningRulesSchema, changedRulesSchema]) {
    app.addSchema(schema);
  }
  app.register(async (guarded) => {
    refuseWebPages(guarded, { allowOrigins, adminToken });
    if (options.onRequest !== undefined) traceRequests(guarded, options.onRequest);
    guarded.register(v1Routes, { service, admitAdmin, admitStore });
    if (askRules !== undefined) guarded.register(rulesRoutes, { askRules, admitAdmin });
    guarded.register(envoyJsonRoutes, { service, envoy });
    if (log !== undefined) guarded.register(logRoute, { log, admitAdmin });
    if (metrics !== undefined) guarded.register(metricsRoute, { metrics, admitMetrics });
  });
  app.register(healthRoutes, { service, isStopping, trouble });
}
