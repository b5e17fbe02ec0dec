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
  /** Additions to decisions in answers. Default: none. */
  readonly envoy?: EnvoyOptions | undefined;
  /**
   * Whether a call fails with UNAVAILABLE where it would be refused only since the store gave no answer, by limits
   * without a policy of their own. Default: no, it is OVER_LIMIT.
   */
  readonly failsUnanswered?: boolean | undefined;
  /** Whether it is to be sent no more calls, though it answers them: its health says so. Default: once it closes. */
  readonly isStopping?: (() => boolean) | undefined;
  /** The longest message, in bytes. Default: 1 MiB. */
  readonly longest?: number | undefined;
  /** Bounds what messages of all connections hold, of several servers where they share it. Default: one of its own. */
  readonly held?: HeldBytes | undefined;
  readonly tls?: TlsOptions | undefined;
  /**
   * A DNS name or an IP address that clients' certificates have to be made out to, beside being signed by `tls.ca`.
   * Default: any.
   */
  readonly clientName?: string | undefined;
  /** Is called for each connection that is closed because its certificate has another name. Default: nobody is. */
  readonly onWrongClient?: (() => void) | undefined;
  /** Receives mistakes of the service's own. Default: the console. */
  readonly warn?: Warn;
  /** Receives calls that have their answer. Default: nobody. It must not throw. */
  readonly onAnswered?: OnCallAnswered | undefined;
  /** Makes traces of calls. Default: none. */
  readonly onRequest?: OnRequest | undefined;
};

/** Calls take milliseconds, so that a grace of seconds lets all of them end. */
const DEFAULTS: SessionOptions & SocketOptions = {
  maxConnections: 10_000,
  handshake: 5000,
  onDefence: () => {},
  maxAge: 24 * 3_600_000,
  grace: 5000,
  keepAlive: 60_000,
};

const LONGEST_MESSAGE = 1024 * 1024;

/** Makes the server; `server.listen` opens it, `close` lets what is under way end. */
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
