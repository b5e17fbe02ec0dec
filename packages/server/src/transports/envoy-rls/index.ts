/** Envoy's rate limit service over gRPC. */
import type { Warn } from "spillway/core";
import { consoleWarn } from "spillway/support";
import type { OnRequest, Service } from "../../service/index.ts";
import type { EnvoyOptions } from "../envoy/index.ts";
import { HeldBytes } from "../intake/index.ts";
import type { OnCallAnswered } from "./grpc/call.ts";
import { type GrpcServer, grpcServer, type TlsOptions } from "./grpc/server.ts";
import type { SessionOptions } from "./grpc/sessions.ts";
import type { SocketOptions } from "./grpc/sockets.ts";
import { methodsOf } from "./methods.ts";

export { isClientName } from "./grpc/client-name.ts";
export type { GrpcServer, TlsOptions } from "./grpc/server.ts";
export type { SessionOptions } from "./grpc/sessions.ts";
export type { SocketOptions } from "./grpc/sockets.ts";

export type RlsOptions = Partial<SessionOptions & SocketOptions> & {
  readonly service: Service;
  /** Additions to the decisions in answers. Default: none. */
  readonly envoy?: EnvoyOptions | undefined;
  /**
   * Whether a call fails with UNAVAILABLE if it is refused only because the store gave no answer,
   * by limits without a policy of their own. Default: no, it is OVER_LIMIT.
   */
  readonly failsUnanswered?: boolean | undefined;
  /**
   * Whether the server is stopping, which health checks report. It still answers calls. Default:
   * true once it closes.
   */
  readonly isStopping?: (() => boolean) | undefined;
  /** The longest message, in bytes. Default: 1 MiB. */
  readonly longest?: number | undefined;
  /**
   * Bounds the bytes that messages of all connections hold. Several servers can share it. Default:
   * one of its own.
   */
  readonly held?: HeldBytes | undefined;
  readonly tls?: TlsOptions | undefined;
  /**
   * A DNS name or an IP address that the certificates of clients must be issued to, in addition to
   * being signed by `tls.ca`. Default: any.
   */
  readonly clientName?: string | undefined;
  /**
   * Called for each connection that is closed because its certificate has another name. Default:
   * none.
   */
  readonly onWrongClient?: (() => void) | undefined;
  /** Receives errors of the service itself. Default: the console. */
  readonly warn?: Warn;
  /** Called after each answer. It must not throw. Default: none. */
  readonly onAnswered?: OnCallAnswered | undefined;
  /** Creates traces of calls. Default: none. */
  readonly onRequest?: OnRequest | undefined;
};

/** Calls take milliseconds, so a grace of seconds is enough for all of them. */
const DEFAULTS: SessionOptions & SocketOptions = {
  maxConnections: 10_000,
  handshake: 5000,
  onDefence: () => {},
  maxAge: 24 * 3_600_000,
  grace: 5000,
  keepAlive: 60_000,
};

const LONGEST_MESSAGE = 1024 * 1024;

/** Creates the server. `server.listen` opens it; `close` waits for calls under way. */
export function createRlsServer(options: RlsOptions): GrpcServer {
  const { service, envoy = {}, failsUnanswered = false, isStopping, ...others } = options;
  const { longest = LONGEST_MESSAGE, held = new HeldBytes(), warn = consoleWarn } = options;
  let isOpen = true;
  const isServing = () => isOpen && isStopping?.() !== true;
  const methods = methodsOf({ service, envoy, failsUnanswered, isServing });
  const { close, ...rls } = grpcServer(methods, { ...DEFAULTS, ...others, longest, held, warn });
  return {
    ...rls,
    close: () => {
      isOpen = false;
      return close();
    },
  };
}
