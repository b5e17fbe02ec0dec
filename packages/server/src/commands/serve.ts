import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import { createServer, type Guard, guardOf } from "../doors/http-api/index.ts";
import { listRules, parseRules, type Rules } from "../rules/index.ts";
import { createService } from "../service/index.ts";
import { CommandError, systemMessage } from "./command-error.ts";
import { counted, listing } from "./listing.ts";
import { readRuleFiles } from "./rule-files.ts";
import { curlLines } from "./try-it.ts";

export type ServeOptions = { readonly host: string; readonly port: number };

/**
 * `spillway serve`: answers until SIGINT or SIGTERM, then finishes what is under way.
 *
 * @throws RulesError, CommandError where it can't begin.
 */
export async function serve(path: string, { host, port }: ServeOptions): Promise<void> {
  const rules = parseRules(await readRuleFiles([path]));
  const adminToken = process.env.SPILLWAY_ADMIN_TOKEN || undefined;
  const app = await createServer({ service: createService({ rules }), adminToken });
  const url = await listen(app, { host, port });
  const stop = stopSignal();
  for (const line of welcome(rules, { url, host })) console.log(line);
  console.log(RESETS[guardOf(app.server.address(), adminToken)]);
  console.log(`${await stop}: finishing what is under way`);
  await app.close();
}

const RESETS: { readonly [G in Guard]: string } = {
  open: "Resets are open to this machine; to guard them, set SPILLWAY_ADMIN_TOKEN",
  token: "Resets need SPILLWAY_ADMIN_TOKEN",
  closed: "Resets are shut; to open them, set SPILLWAY_ADMIN_TOKEN",
};

type Address = { readonly url: string; readonly host: string };

function welcome(rules: Rules, { url, host }: Address): readonly string[] {
  const all = listRules(rules);
  const heading = `${counted(all.length, "limit")}, state in this process's memory`;
  const examples = curlLines(rules, url).map((line) => `  ${line}`);
  return [heading, ...listing(all), `Listening on ${url}. Try:`, ...examples, ...reach(host)];
}

/** Said aloud where the service is open to the network. */
function reach(host: string): readonly string[] {
  const everywhere = host === "0.0.0.0" || host === "::";
  return everywhere ? [`Other machines can reach it: it listens on all addresses (${host})`] : [];
}

async function listen(app: FastifyInstance, { host, port }: ServeOptions): Promise<string> {
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
