/** All that `spillway serve` listens on: HTTP, gRPC, and metrics where they have a port of their own. */
import { transportLog } from "../telemetry/index.ts";
import { HeldBytes } from "../transports/intake/index.ts";
import { bothOf } from "./both-of.ts";
import { envoyOptionsOf } from "./envoy-options.ts";
import { serveGrpc } from "./serve-grpc.ts";
import { type HttpService, type Serving, serveHttp } from "./serve-http.ts";
import { serveMetrics } from "./serve-metrics.ts";
import { metricsPlace } from "./telemetry-options.ts";
import { readTls, signatureOfTls } from "./tls-files.ts";

export type Transports = HttpService & {
  /** Where it answers besides, a line each. */
  readonly places: readonly string[];
  /** From then on health checks report that the service stops; all go on answering. */
  readonly stopping: () => void;
};

/** Begins all of them, or none. @throws CommandError where one can't be */
export async function serveTransports(options: Serving): Promise<Transports> {
  const { role, running, service, kept, workers, tokens } = options;
  const envoy = envoyOptionsOf(options);
  // Rounded down: together they have no more than what is said.
  const maxConnections = Math.floor(options.maxConnections / workers);
  const seen = await signatureOfTls(options);
  const tls = await readTls(options);
  const { requests } = running.metrics;
  const held = new HeldBytes();
  requests.countHeld(() => held.bytes);
  const onDefence = bothOf(requests.defended, transportLog({ warn: role.log.warn }));
  let isStopping = false;
  const intake = { held, onDefence, maxConnections, isStopping: () => isStopping };
  const each = { ...options, ...running, ...intake, log: role.log, envoy, tls, seen };
  const http = await serveHttp(each);
  const grpc = await beginBeside([http], () => serveGrpc(each));
  const { metricsToken } = tokens;
  const watching = {
    metrics: running.page,
    metricsToken,
    isStopping: intake.isStopping,
    service,
    trouble: kept.trouble,
    warn: role.log.warn,
    onDefence,
  };
  const metrics = await beginBeside([http, grpc], () =>
    serveMetrics(metricsPlace(options), watching),
  );
  return {
    ...http,
    places: [grpc.where, metrics.where].filter((one) => one !== undefined),
    stopping: () => {
      isStopping = true;
    },
    close: async () => {
      await Promise.all([http.close(), grpc.close()]);
      await metrics.close();
    },
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
