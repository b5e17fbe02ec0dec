import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WhenUnavailable } from "spillway";
import { printable } from "spillway/core";
import { instrumented } from "spillway/telemetry";
import { listRules, type ParseOptions, type Rules } from "../rules/index.ts";
import { createService } from "../service/index.ts";
import { openOn, transportLog } from "../telemetry/index.ts";
import { createServer, type Guard, guardOf } from "../transports/http-api/index.ts";
import { CommandError, cannotListen } from "./command-error.ts";
import { envoyOptionsOf, settingsOf } from "./envoy-options.ts";
import { counted, listing } from "./listing.ts";
import { type Operation, operation } from "./operation.ts";
import { logWarnings } from "./process-events.ts";
import { aloneRole, type Role } from "./role.ts";
import { parseOptionsOf } from "./rule-options.ts";
import { serveGrpc } from "./serve-grpc.ts";
import { serveMetrics } from "./serve-metrics.ts";
import type { ServeOptions } from "./serve-options.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import { metricsPlace } from "./telemetry-options.ts";
import { curlLines } from "./try-it.ts";
import { pageOfAll } from "./workers/numbers.ts";
import { serveByWorkers } from "./workers/primary.ts";
import { failAsWorker, isWorker, workerRole } from "./workers/worker.ts";

/**
 * `spillway serve`: answers until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serve(paths: readonly string[], options: ServeOptions): Promise<void> {
  const parse = parseOptionsOf(options, process.env);
  const running = await operation(options);
  const { log } = running;
  logWarnings(log);
  if (isWorker()) return serveAsWorker(parse, running, options);
  if (options.workers > 1) {
    process.exit(await serveByWorkers({ ...options, paths, parse, log }));
  }
  await serveAs(await aloneRole({ paths, parse, log }), running, options);
}

/** Its primary process reports what is wrong, once for all. */
async function serveAsWorker(
  parse: ParseOptions,
  running: Operation,
  options: ServeOptions,
): Promise<void> {
  try {
    const page = pageOfAll(running.page);
    await serveAs(await workerRole(parse, running.log), { ...running, page }, options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await failAsWorker(error);
  }
}

async function serveAs(role: Role, running: Operation, options: ServeOptions): Promise<void> {
  const { metrics } = running;
  const sentinelPassword = process.env.SPILLWAY_SENTINEL_PASSWORD || undefined;
  // Every worker counts for itself while the store is away.
  const instances = options.instances * options.workers;
  const onEvent = metrics.storeCalls.happened;
  const settings = { ...options, instances, sentinelPassword, warn: role.log.warn, onEvent };
  const opened = await openStore(options.store, settings);
  metrics.ofStore(opened.stats);
  try {
    await answer(role, opened, { ...options, running });
  } finally {
    opened.close();
    await running.close();
  }
  // All is answered. What a driver still has timers for is nothing to stay for.
  process.exit();
}

async function answer(
  role: Role,
  { store: bare, where }: OpenStore,
  { whenUnavailable, running, ...options }: ServeOptions & { readonly running: Operation },
): Promise<void> {
  const adminToken = process.env.SPILLWAY_ADMIN_TOKEN || undefined;
  const { log, rules } = role;
  const storeToken = process.env.SPILLWAY_STORE_TOKEN || undefined;
  const { metrics, onCall, onDecided, onRequest } = running;
  const store = instrumented(bare, onCall);
  const service = createService({
    rules,
    store,
    whenUnavailable,
    settings: settingsOf(options, process.env),
    onDecided,
    onRules: metrics.rulesUsed,
  });
  const envoy = envoyOptionsOf(options, process.env);
  const { allowOrigin: allowOrigins } = options;
  const maxConnections = Math.ceil(options.maxConnections / options.workers);
  const { warn } = log;
  const onDefence = bothOf(metrics.requests.defended, transportLog({ warn }));
  const kept = await role.keepRules(service, metrics.rulesRefused);
  const { trouble } = kept;
  const app = await createServer({
    service,
    envoy,
    adminToken,
    storeToken,
    warn,
    allowOrigins,
    bounds: { maxConnections },
    onDefence,
    askRules: kept.ask,
    trouble,
    onAnswered: (answered) => metrics.answered("http", answered),
    onRequest,
    ...readable(running),
  });
  metrics.requests.count("http", openOn(app.server, "connection"));
  await role.mayListen();
  const url = await listen(app, options);
  const beside = { ...options, maxConnections, whenUnavailable, service, envoy, log };
  const grpc = await beginBeside([app], () => serveGrpc({ ...beside, metrics, onRequest }));
  const watching = { ...readable(running), service, trouble, warn };
  const ownPort = await beginBeside([app, grpc], () =>
    serveMetrics(metricsPlace(options, process.env), watching),
  );
  const stop = role.stop();
  const places = [grpc.where, ownPort.where].filter((one) => one !== undefined);
  role.serving([
    ...welcome(rules, { url, host: options.host, where, places }),
    ...(store.mode === "later" ? [POLICIES[whenUnavailable]] : []),
    ADMIN_CALLS[guardOf(app.server.address(), adminToken)],
  ]);
  log.info(`${await stop}: finishing what is under way`);
  ownPort.stopping();
  kept.close();
  await Promise.all([app.close(), grpc.close()]);
  await ownPort.close();
}

/** What can be read, or set, over HTTP. The level of the log is that of one process. */
function readable({ page, log }: Operation) {
  const metricsToken = process.env.SPILLWAY_METRICS_TOKEN || undefined;
  return isWorker() ? { metrics: page, metricsToken } : { metrics: page, metricsToken, log };
}

function bothOf<T>(one: (value: T) => void, other: (value: T) => void): (value: T) => void {
  return (value) => {
    one(value);
    other(value);
  };
}

/** Begins something beside what has begun; where that can't be, nothing is answered. */
async function beginBeside<T>(
  begun: readonly { close(): PromiseLike<unknown> }[],
  begin: () => Promise<T>,
): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    for (const one of begun) await one.close();
    throw error;
  }
}

const POLICIES: { readonly [P in WhenUnavailable]: string } = {
  closed: "While the store gives no answer, limits refuse (--when-unavailable closed)",
  open: "While the store gives no answer, limits admit all (--when-unavailable open)",
  local: "While the store gives no answer, limits count here (--when-unavailable local)",
};

const ADMIN_CALLS: { readonly [G in Guard]: string } = {
  open: "Admin calls are open to this machine; to guard them, set SPILLWAY_ADMIN_TOKEN",
  token: "Admin calls need SPILLWAY_ADMIN_TOKEN",
  closed: "Admin calls are shut; to open them, set SPILLWAY_ADMIN_TOKEN",
};

type Place = {
  readonly url: string;
  readonly host: string;
  readonly where: string;
  readonly places: readonly string[];
};

function welcome(rules: Rules, { url, host, where, places }: Place): readonly string[] {
  const all = listRules(rules);
  const heading = `${counted(all.length, "limit")}, state in ${where}`;
  const examples = curlLines(rules, url).map((line) => `  ${line}`);
  return [
    heading,
    ...listing(all),
    ...places,
    `Listening on ${url}. Try:`,
    ...examples,
    ...reach(host),
  ];
}

/** A warning where the service is open to the network. */
function reach(host: string): readonly string[] {
  const everywhere = host === "0.0.0.0" || host === "::";
  return everywhere ? [`Other machines can reach it: it listens on all addresses (${host})`] : [];
}

type Address = Pick<ServeOptions, "host" | "port">;

async function listen(app: FastifyInstance, { host, port }: Address): Promise<string> {
  try {
    await app.listen({ host, port });
    return urlOf(host, (app.server.address() as AddressInfo).port);
  } catch (error) {
    await app.close();
    throw cannotListen(error, { where: `${printable(host)}:${port}`, option: "--port or PORT" });
  }
}

/** Where this machine finds the service: addresses that stand for all stand for the local one. */
function urlOf(host: string, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
