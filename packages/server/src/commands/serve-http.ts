/** The HTTP transport of `spillway serve`. */
import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { EnvoyOptions } from "../envoy/index.ts";
import type { Service } from "../service/index.ts";
import { openOn } from "../telemetry/index.ts";
import { createServer, type Guard, guardOf } from "../transports/http-api/index.ts";
import type { Defence, HeldBytes } from "../transports/intake/index.ts";
import { cannotListen } from "./command-error.ts";
import type { Operation } from "./operation.ts";
import type { Role, RulesKeeper } from "./role.ts";
import type { ServeOptions } from "./serve-options.ts";
import { isWorker } from "./workers/worker.ts";

export type HttpService = {
  /** Where this machine finds it. */
  readonly url: string;
  /** Who may make admin calls. */
  readonly guard: Guard;
  readonly close: () => Promise<void>;
};

/** What transports are begun with. */
export type Serving = ServeOptions & {
  readonly role: Role;
  readonly running: Operation;
  readonly service: Service;
  readonly kept: RulesKeeper;
};

/** What transports share to keep to their bounds. */
export type Intake = {
  readonly held: HeldBytes;
  readonly onDefence: (defence: Defence) => void;
  /** Whether the service is to be sent no more requests, though it answers them. */
  readonly isStopping: () => boolean;
};

/** Answers HTTP, when the role says that it may. @throws CommandError where it can't */
export async function serveHttp(
  options: Serving & Intake & { readonly envoy: EnvoyOptions },
): Promise<HttpService> {
  const { role, service, envoy, kept, running, maxConnections, tokens } = options;
  const { metrics, onRequest } = running;
  const { warn } = role.log;
  const app = await createServer({
    service,
    envoy,
    warn,
    allowOrigins: options.allowOrigin,
    bounds: { maxConnections },
    held: options.held,
    onDefence: options.onDefence,
    isStopping: options.isStopping,
    askRules: kept.ask,
    trouble: kept.trouble,
    onAnswered: (answered) => metrics.answered("http", answered),
    onRequest,
    ...tokens,
    metrics: running.page,
    // The level is that of one process.
    ...(isWorker() ? {} : { log: running.log }),
  });
  metrics.requests.count("http", openOn(app.server));
  await role.mayListen();
  const url = await listen(app, options);
  return { url, guard: guardOf(app.server.address(), tokens.adminToken), close: () => app.close() };
}

type Address = Pick<ServeOptions, "host" | "port">;

async function listen(app: FastifyInstance, { host, port }: Address): Promise<string> {
  try {
    await app.listen({ host, port });
    return urlOf(host, (app.server.address() as AddressInfo).port);
  } catch (error) {
    await app.close();
    throw cannotListen(error, { host, port, option: "--port", variable: "PORT" });
  }
}

/** Where this machine finds the service: addresses that stand for all stand for the local one. */
function urlOf(host: string, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
