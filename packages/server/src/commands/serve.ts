import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WhenUnavailable } from "spillway";
import { printable } from "spillway/core";
import { listRules, type ParseOptions, type Rules } from "../rules/index.ts";
import { createService } from "../service/index.ts";
import { consoleLog, transportLog } from "../telemetry/index.ts";
import { createServer, type Guard, guardOf } from "../transports/http-api/index.ts";
import { CommandError, cannotListen } from "./command-error.ts";
import { envoyOptionsOf, settingsOf } from "./envoy-options.ts";
import { counted, listing } from "./listing.ts";
import { logWarnings } from "./process-events.ts";
import { aloneRole, type Role } from "./role.ts";
import { parseOptionsOf } from "./rule-options.ts";
import { type GrpcService, serveGrpc } from "./serve-grpc.ts";
import type { ServeOptions } from "./serve-options.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import { curlLines } from "./try-it.ts";
import { serveByWorkers } from "./workers/primary.ts";
import { failAsWorker, isWorker, workerRole } from "./workers/worker.ts";

/**
 * `spillway serve`: answers until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serve(paths: readonly string[], options: ServeOptions): Promise<void> {
  const parse = parseOptionsOf(options, process.env);
  const log = consoleLog();
  logWarnings(log);
  if (isWorker()) return serveAsWorker(parse, options);
  if (options.workers > 1) {
    process.exit(await serveByWorkers({ ...options, paths, parse, log }));
  }
  await serveAs(await aloneRole({ paths, parse, log }), options);
}

/** Its primary process reports what is wrong, once for all. */
async function serveAsWorker(parse: ParseOptions, options: ServeOptions): Promise<void> {
  try {
    await serveAs(await workerRole(parse), options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await failAsWorker(error);
  }
}

async function serveAs(role: Role, options: ServeOptions): Promise<void> {
  const sentinelPassword = process.env.SPILLWAY_SENTINEL_PASSWORD || undefined;
  // Every worker counts for itself while the store is away.
  const instances = options.instances * options.workers;
  const settings = { ...options, instances, sentinelPassword, warn: role.log.warn };
  const opened = await openStore(options.store, settings);
  try {
    await answer(role, opened, options);
  } finally {
    opened.close();
  }
  // All is answered. What a driver still has timers for is nothing to stay for.
  process.exit();
}

async function answer(
  role: Role,
  { store, where }: OpenStore,
  { whenUnavailable, ...options }: ServeOptions,
): Promise<void> {
  const adminToken = process.env.SPILLWAY_ADMIN_TOKEN || undefined;
  const { log, rules } = role;
  const storeToken = process.env.SPILLWAY_STORE_TOKEN || undefined;
  const service = createService({
    rules,
    store,
    whenUnavailable,
    settings: settingsOf(options, process.env),
  });
  const envoy = envoyOptionsOf(options, process.env);
  const { allowOrigin: allowOrigins } = options;
  const maxConnections = Math.ceil(options.maxConnections / options.workers);
  const bounds = { maxConnections };
  const { warn } = log;
  const onDefence = transportLog({ warn });
  const kept = await role.keepRules(service);
  const app = await createServer({
    service,
    envoy,
    adminToken,
    storeToken,
    warn,
    allowOrigins,
    bounds,
    onDefence,
    trouble: kept.trouble,
    askRules: kept.ask,
  });
  await role.mayListen();
  const url = await listen(app, options);
  const grpc = await grpcBeside(app, {
    ...options,
    maxConnections,
    whenUnavailable,
    service,
    envoy,
    log,
  });
  const stop = role.stop();
  role.serving([
    ...welcome(rules, { url, host: options.host, where, grpc: grpc.where }),
    ...(store.mode === "later" ? [POLICIES[whenUnavailable]] : []),
    ADMIN_CALLS[guardOf(app.server.address(), adminToken)],
  ]);
  log.info(`${await stop}: finishing what is under way`);
  kept.close();
  await Promise.all([app.close(), grpc.close()]);
}

/** Answers gRPC too; where that can't be, nothing is answered. */
async function grpcBeside(
  app: FastifyInstance,
  options: Parameters<typeof serveGrpc>[0],
): Promise<GrpcService> {
  try {
    return await serveGrpc(options);
  } catch (error) {
    await app.close();
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
  readonly grpc: string;
};

function welcome(rules: Rules, { url, host, where, grpc }: Place): readonly string[] {
  const all = listRules(rules);
  const heading = `${counted(all.length, "limit")}, state in ${where}`;
  const examples = curlLines(rules, url).map((line) => `  ${line}`);
  return [heading, ...listing(all), grpc, `Listening on ${url}. Try:`, ...examples, ...reach(host)];
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
