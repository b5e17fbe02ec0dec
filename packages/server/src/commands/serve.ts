import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WhenUnavailable } from "spillway";
import { printable } from "spillway/core";
import { listRules, parseRules, type Rules } from "../rules/index.ts";
import { createService } from "../service/index.ts";
import { consoleLog, type Log, transportLog } from "../telemetry/index.ts";
import { createServer, type Guard, guardOf } from "../transports/http-api/index.ts";
import { CommandError, systemMessage } from "./command-error.ts";
import { counted, listing } from "./listing.ts";
import { ignoreHangUp, logWarnings, stopSignal } from "./process-events.ts";
import { readRuleFiles } from "./rule-files.ts";
import type { ServeOptions } from "./serve-options.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import { curlLines } from "./try-it.ts";

/**
 * `spillway serve`: answers until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serve(paths: readonly string[], options: ServeOptions): Promise<void> {
  const rules = parseRules(await readRuleFiles(paths));
  const sentinelPassword = process.env.SPILLWAY_SENTINEL_PASSWORD || undefined;
  const log = consoleLog();
  logWarnings(log);
  const settings = { ...options, sentinelPassword, warn: log.warn };
  const opened = await openStore(options.store, settings);
  try {
    await answer(rules, opened, { ...options, log });
  } finally {
    opened.close();
  }
  // All is answered. What a driver still has timers for is nothing to stay for.
  process.exit();
}

async function answer(
  rules: Rules,
  { store, where }: OpenStore,
  { whenUnavailable, log, ...options }: ServeOptions & { readonly log: Log },
): Promise<void> {
  const adminToken = process.env.SPILLWAY_ADMIN_TOKEN || undefined;
  const service = createService({ rules, store, whenUnavailable, warn: log.warn });
  const { maxConnections, allowOrigin: allowOrigins } = options;
  const bounds = { maxConnections };
  const { warn } = log;
  const onDefence = transportLog({ warn });
  const app = await createServer({ service, adminToken, warn, allowOrigins, bounds, onDefence });
  const url = await listen(app, options);
  const stop = stopSignal();
  ignoreHangUp(log);
  for (const line of welcome(rules, { url, host: options.host, where })) log.info(line);
  if (store.mode === "later") log.info(POLICIES[whenUnavailable]);
  log.info(RESETS[guardOf(app.server.address(), adminToken)]);
  log.info(`${await stop}: finishing what is under way`);
  await app.close();
}

const POLICIES: { readonly [P in WhenUnavailable]: string } = {
  closed: "While the store gives no answer, limits refuse (--when-unavailable closed)",
  open: "While the store gives no answer, limits admit all (--when-unavailable open)",
  local: "While the store gives no answer, limits count here (--when-unavailable local)",
};

const RESETS: { readonly [G in Guard]: string } = {
  open: "Resets are open to this machine; to guard them, set SPILLWAY_ADMIN_TOKEN",
  token: "Resets need SPILLWAY_ADMIN_TOKEN",
  closed: "Resets are shut; to open them, set SPILLWAY_ADMIN_TOKEN",
};

type Place = { readonly url: string; readonly host: string; readonly where: string };

function welcome(rules: Rules, { url, host, where }: Place): readonly string[] {
  const all = listRules(rules);
  const heading = `${counted(all.length, "limit")}, state in ${where}`;
  const examples = curlLines(rules, url).map((line) => `  ${line}`);
  return [heading, ...listing(all), `Listening on ${url}. Try:`, ...examples, ...reach(host)];
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
    throw cannotListen(error, `${printable(host)}:${port}`);
  }
}

function cannotListen(error: unknown, where: string): CommandError {
  if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
    const hint = "choose another port with --port or PORT; 0 takes any that is free";
    return new CommandError("port-in-use", `another program listens on ${where}; ${hint}`);
  }
  return new CommandError("address-unusable", `can't listen on ${where}: ${systemMessage(error)}`);
}

/** Where this machine finds the service: addresses that stand for all stand for the local one. */
function urlOf(host: string, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
