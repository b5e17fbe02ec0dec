import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WhenUnavailable } from "spillway";
import { consoleWarn } from "spillway/core";
import { createServer, type Guard, guardOf } from "../doors/http-api/index.ts";
import { listRules, parseRules, type Rules } from "../rules/index.ts";
import { createService } from "../service/index.ts";
import { doorLog } from "../telemetry/index.ts";
import { CommandError, systemMessage } from "./command-error.ts";
import { counted, listing } from "./listing.ts";
import { readRuleFiles } from "./rule-files.ts";
import type { ServeOptions } from "./serve-options.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import { curlLines } from "./try-it.ts";

/**
 * `spillway serve`: answers until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serve(path: string, options: ServeOptions): Promise<void> {
  const rules = parseRules(await readRuleFiles([path]));
  const sentinelPassword = process.env.SPILLWAY_SENTINEL_PASSWORD || undefined;
  const settings = { ...options, sentinelPassword, warn: consoleWarn };
  const opened = await openStore(options.store, settings);
  try {
    await answer(rules, opened, options);
  } finally {
    opened.close();
  }
  // All is answered. What a driver still has timers for is nothing to stay for.
  process.exit();
}

async function answer(
  rules: Rules,
  { store, where }: OpenStore,
  { whenUnavailable, ...options }: ServeOptions,
): Promise<void> {
  const adminToken = process.env.SPILLWAY_ADMIN_TOKEN || undefined;
  const service = createService({ rules, store, whenUnavailable });
  const { maxConnections, allowOrigin: allowOrigins } = options;
  const bounds = { maxConnections };
  const onDefence = doorLog({ warn: consoleWarn });
  const app = await createServer({ service, adminToken, allowOrigins, bounds, onDefence });
  const url = await listen(app, options);
  const stop = stopSignal();
  for (const line of welcome(rules, { url, host: options.host, where })) console.log(line);
  if (store.mode === "later") console.log(POLICIES[whenUnavailable]);
  console.log(RESETS[guardOf(app.server.address(), adminToken)]);
  console.log(`${await stop}: finishing what is under way`);
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

/** Said aloud where the service is open to the network. */
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
    throw cannotListen(error, `${host}:${port}`);
  }
}

function cannotListen(error: unknown, where: string): CommandError {
  if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
    return new CommandError(
      "port-in-use",
      `${where} is in use; choose another with PORT or --port`,
    );
  }
  return new CommandError("address-unusable", `can't listen on ${where}: ${systemMessage(error)}`);
}

/** Where this machine finds the service: addresses that stand for all stand for the local one. */
function urlOf(host: string, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on("SIGINT", resolve);
    process.on("SIGTERM", resolve);
  });
}
