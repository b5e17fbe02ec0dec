/**
 * Starts everything that `spillway serve` listens on: HTTP, gRPC, and separate ports for metrics
 * and administrators.
 */
import type { NoteDirect } from "../../service/index.ts";
import { transportLog } from "../../telemetry/index.ts";
import { HeldBytes } from "../../transports/intake/index.ts";
import { type AdminListeners, NO_ADMIN, serveAdmin } from "../admin/index.ts";
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
  const notes: { note: NoteDirect | undefined } = { note: undefined };
  const note: NoteDirect = async (call) => notes.note?.(call);
  const each = { ...options, ...running, ...intake, note, log: role.log, envoy, tls, seen };
  const http = await serveHttp(each);
  const grpc = await beginBeside([http], () => serveGrpc(each));
  const metrics = await beginBeside([http, grpc], () =>
    serveMetrics(metricsPlace(options), metricsOptions(options, intake)),
  );
  const admin = await beginBeside([http, grpc, metrics], () => adminOf(options));
  notes.note = options.administered.note ?? admin.note;
  const places = [grpc.where, metrics.where].filter((one) => one !== undefined);
  return {
    ...http,
    places: [...places, ...admin.lines],
    stopping,
    close: async () => {
      await Promise.all([http.close(), grpc.close()]);
      await Promise.all([metrics.close(), admin.close()]);
    },
  };
}

/** Opens the administration listeners, if this process has them. */
export function adminOf({ administered, role, ...options }: ServeContext): Promise<AdminListeners> {
  const { target } = administered;
  if (target === undefined) return Promise.resolve(NO_ADMIN);
  return serveAdmin({ ...options, target, log: role.log });
}

/** Creates the bounds that all transports share. */
export function intakeOf({ role, running: { metrics }, ...options }: ServeContext) {
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

/** Returns the options of the metrics port. */
export function metricsOptions(
  { role, running, service, kept, tokens }: ServeContext,
  intake: Omit<TransportBounds, "note">,
) {
  const { isStopping, onDefence } = intake;
  const { metricsToken } = tokens;
  const { trouble } = kept;
  const { warn } = role.log;
  return { metrics: running.page, metricsToken, isStopping, service, trouble, warn, onDefence };
}

/** Starts a transport. If that fails, those already started are closed. */
export async function beginBeside<T>(
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
