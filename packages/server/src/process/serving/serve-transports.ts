/**
 * Starts everything that `spillway serve` listens on: HTTP, gRPC, and a separate port for metrics.
 */
import { transportLog } from "../../telemetry/index.ts";
import { HeldBytes } from "../../transports/intake/index.ts";
import { envoyOptionsOf, metricsPlace } from "../options/index.ts";
import { bothOf } from "./both-of.ts";
import { serveGrpc } from "./serve-grpc.ts";
import {
  type HttpService,
  type ServeContext,
  serveHttp,
  type TransportBounds,
} from "./serve-http.ts";
import { serveMetrics } from "./serve-metrics.ts";
import { readTls, signatureOfTls } from "./tls-files.ts";

export type Transports = HttpService & {
  /** Further addresses, a line each. */
  readonly places: readonly string[];
  /**
   * From this call on, health checks report that the service stops. All transports still answer.
   */
  readonly stopping: () => void;
};

/** Starts all transports, or none. @throws CommandError if one can't start */
export async function serveTransports(options: ServeContext): Promise<Transports> {
  const { role, running } = options;
  const { intake, stopping } = intakeOf(options);
  const seen = await signatureOfTls(options);
  const tls = await readTls(options);
  const envoy = envoyOptionsOf(options);
  const each = { ...options, ...running, ...intake, log: role.log, envoy, tls, seen };
  const http = await serveHttp(each);
  const grpc = await beginBeside([http], () => serveGrpc(each));
  const metrics = await beginBeside([http, grpc], () =>
    serveMetrics(metricsPlace(options), metricsOptions(options, intake)),
  );
  return {
    ...http,
    places: [grpc.where, metrics.where].filter((one) => one !== undefined),
    stopping,
    close: async () => {
      await Promise.all([http.close(), grpc.close()]);
      await metrics.close();
    },
  };
}

/** Creates the bounds that all transports share. */
function intakeOf({ role, running: { metrics }, ...options }: ServeContext) {
  const held = new HeldBytes();
  metrics.requests.countHeld(() => held.bytes);
  const onDefence = bothOf(metrics.requests.defended, transportLog({ warn: role.log.warn }));
  // Rounded down, so that all workers together stay within the option.
  const maxConnections = Math.floor(options.maxConnections / options.workers);
  let isStopping = false;
  const stopping = () => {
    isStopping = true;
  };
  return { intake: { held, onDefence, maxConnections, isStopping: () => isStopping }, stopping };
}

function metricsOptions(
  { role, running, service, kept, tokens }: ServeContext,
  intake: TransportBounds,
) {
  const { isStopping, onDefence } = intake;
  const { metricsToken } = tokens;
  const { trouble } = kept;
  const { warn } = role.log;
  return { metrics: running.page, metricsToken, isStopping, service, trouble, warn, onDefence };
}

/** Starts a transport. If that fails, those already started are closed. */
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
