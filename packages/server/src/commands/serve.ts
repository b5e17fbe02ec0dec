import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WhenUnavailable } from "spillway";
import { printable } from "spillway/core";
import { describeProblem, listRules, parseRules, type Rules } from "../rules/index.ts";
import { createService } from "../service/index.ts";
import { consoleLog, type Log, transportLog } from "../telemetry/index.ts";
import { createServer, type Guard, guardOf } from "../transports/http-api/index.ts";
import { cannotListen } from "./command-error.ts";
import { envoyOptionsOf, settingsOf } from "./envoy-options.ts";
import { counted, listing } from "./listing.ts";
import { logWarnings, onHangUp, stopSignal } from "./process-events.ts";
import { watchRules } from "./reload/reload.ts";
import { readRuleFiles } from "./rule-files.ts";
import { parseOptionsOf } from "./rule-options.ts";
import { type GrpcService, serveGrpc } from "./serve-grpc.ts";
import type { ServeOptions } from "./serve-options.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import { curlLines } from "./try-it.ts";
import { meaninglessIn } from "./upstream-environment.ts";

/**
 * `spillway serve`: answers until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serve(paths: readonly string[], options: ServeOptions): Promise<void> {
  const rules = parseRules(await readRuleFiles(paths), parseOptionsOf(options, process.env));
  const sentinelPassword = process.env.SPILLWAY_SENTINEL_PASSWORD || undefined;
  const log = consoleLog();
  logWarnings(log);
  for (const line of meaninglessIn(process.env)) log.warn(line);
  for (const warning of rules.warnings) log.warn(describeProblem(warning));
  const settings = { ...options, sentinelPassword, warn: log.warn };
  const opened = await openStore(options.store, settings);
  try {
    await answer(rules, opened, { ...options, paths, log });
  } finally {
    opened.close();
  }
  // All is answered. What a driver still has timers for is nothing to stay for.
  process.exit();
}

type Answering = ServeOptions & { readonly paths: readonly string[]; readonly log: Log };

async function answer(
  rules: Rules,
  { store, where }: OpenStore,
  { whenUnavailable, log, paths, ...options }: Answering,
): Promise<void> {
  const adminToken = process.env.SPILLWAY_ADMIN_TOKEN || undefined;
  const service = createService({
    rules,
    store,
    whenUnavailable,
    settings: settingsOf(options, process.env),
  });
  const envoy = envoyOptionsOf(options, process.env);
  const { maxConnections, allowOrigin: allowOrigins } = options;
  const bounds = { maxConnections };
  const { warn } = log;
  const onDefence = transportLog({ warn });
  const parse = parseOptionsOf(options, process.env);
  const reloading = await watchRules({ paths, parse, service, log });
  const app = await createServer({
    service,
    envoy,
    adminToken,
    warn,
    allowOrigins,
    bounds,
    onDefence,
    trouble: reloading.trouble,
  });
  const url = await listen(app, options);
  const grpc = await grpcBeside(app, { ...options, whenUnavailable, service, envoy, log });
  const stop = stopSignal();
  onHangUp(() => void reloading.reload("SIGHUP"));
  const lines = welcome(rules, { url, host: options.host, where, grpc: grpc.where });
  for (const line of lines) log.info(line);
  if (store.mode === "later") log.info(POLICIES[whenUnavailable]);
  log.info(ADMIN_CALLS[guardOf(app.server.address(), adminToken)]);
  log.info(`${await stop}: finishing what is under way`);
  reloading.close();
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
