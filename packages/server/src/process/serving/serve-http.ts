/** The HTTP transport of `spillway serve`. */
import { type AddressInfo, isIPv6 } from "node:net";
import type { NoteDirect, Service } from "../../service/index.ts";
import { openOn } from "../../telemetry/index.ts";
import type { EnvoyOptions } from "../../transports/envoy/index.ts";
import { type AdminAccess, accessOf, createServer } from "../../transports/http-api/index.ts";
import type { Defence, HeldBytes } from "../../transports/intake/index.ts";
import { hasAdmin, type RotatedTokens } from "../admin/index.ts";
import { listenAt } from "../listen-at.ts";
import type { ServeOptions } from "../options/index.ts";
import { type AdminRole, isWorker, type ProcessRole, type RulesKeeper } from "../workers/index.ts";
import type { Operation } from "./operation.ts";

export type HttpService = {
  /** The URL on this machine. */
  readonly url: string;
  /** The guard of admin calls. */
  readonly guard: AdminAccess;
  readonly close: () => Promise<void>;
};

/** The parts that transports need to start. */
export type ServeContext = ServeOptions & {
  readonly role: ProcessRole;
  readonly running: Operation;
  readonly service: Service;
  readonly kept: RulesKeeper;
  readonly administered: AdminRole;
  readonly rotated: RotatedTokens;
};

/** The bounds that transports share. */
export type TransportBounds = {
  /** Writes changes by older calls into the audit log. */
  readonly note: NoteDirect;
  readonly held: HeldBytes;
  readonly onDefence: (defence: Defence) => void;
  /** Whether the service is stopping: it should get no new requests, but still answers them. */
  readonly isStopping: () => boolean;
};

/** Starts to answer HTTP, once the role allows it. @throws CommandError if it can't */
export async function serveHttp(
  options: ServeContext & TransportBounds & { readonly envoy: EnvoyOptions },
): Promise<HttpService> {
  const { role, service, envoy, kept, running, maxConnections, tokens } = options;
  const { metrics, onRequest } = running;
  const { warn } = role.log;
  const adminToken = () => options.rotated.now().change;
  const isAdminElsewhere = hasAdmin(options);
  const onAdminCall = isAdminElsewhere ? options.note : undefined;
  const admin = { adminToken, isAdminElsewhere, onAdminCall };
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
    ...admin,
    metrics: running.page,
    // A log level applies to one process, so workers don't change it.
    ...(isWorker() ? {} : { log: running.log }),
  });
  metrics.requests.count("http", openOn(app.server));
  await role.mayListen();
  const { host, port } = options;
  await listenAt(
    { host, port, option: "--port", variable: "PORT" },
    { listen: () => app.listen({ host, port }), close: () => app.close() },
  );
  const { port: found } = app.server.address() as AddressInfo;
  const url = urlOf({ scheme: "http", host, port: found });
  return { url, guard: accessOf(app.server.address(), admin), close: () => app.close() };
}

type ListeningAddress = {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
};

/** Returns the URL on this machine. An address for all interfaces becomes the local one. */
export function urlOf({ scheme, host, port }: ListeningAddress): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${scheme}://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
