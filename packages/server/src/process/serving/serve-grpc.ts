/** The gRPC transport of `spillway serve`. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { OnRequest, Service } from "../../service/index.ts";
import { type Metrics, openOn, type ServiceLogger, ThrottledLog } from "../../telemetry/index.ts";
import type { EnvoyOptions } from "../../transports/envoy/index.ts";
import { createRlsServer, type TlsOptions } from "../../transports/envoy-rls/index.ts";
import { hostAndPort, listenAt } from "../listen-at.ts";
import type { ServeOptions } from "../options/index.ts";
import type { TransportBounds } from "./serve-http.ts";
import { watchTls } from "./tls-files.ts";

const USUAL_PORT = 8081;

export type GrpcService = { readonly where: string; readonly close: () => Promise<void> };

type GrpcServeContext = ServeOptions &
  TransportBounds & {
    readonly service: Service;
    readonly envoy: EnvoyOptions;
    readonly log: ServiceLogger;
    readonly metrics: Metrics;
    readonly onRequest: OnRequest | undefined;
    readonly tls: TlsOptions | undefined;
    /** The signature of the certificates before they were read. */
    readonly seen: string;
  };

/** Starts to answer gRPC. @throws CommandError if it can't */
export async function serveGrpc(options: GrpcServeContext): Promise<GrpcService> {
  const { service, envoy, log, metrics, onRequest, tls, seen, tlsClientSan, host, port } = options;
  const { grpcHost = host, grpcPort = port === 0 ? 0 : USUAL_PORT } = options;
  const throttled = new ThrottledLog({ warn: log.warn });
  const rls = createRlsServer({
    service,
    envoy,
    failsUnanswered: options.whenUnavailable === "error",
    tls,
    clientName: tlsClientSan,
    onWrongClient: () =>
      throttled.say({
        sort: "client",
        message: `gRPC clients were refused because their certificates are not for ${tlsClientSan}`,
      }),
    warn: log.warn,
    held: options.held,
    onDefence: options.onDefence,
    isStopping: options.isStopping,
    longest: options.grpcMaxMessage,
    maxConnections: options.maxConnections,
    maxAge: options.grpcMaxConnectionAge,
    grace: options.grpcGrace,
    onAnswered: (answered) => metrics.answered("grpc", answered),
    onRequest,
  });
  metrics.requests.count("grpc", openOn(rls.server));
  const at = { host: grpcHost, port: grpcPort, option: "--grpc-port", variable: "GRPC_PORT" };
  await listenAt(at, { listen: () => listening(rls.server, at) });
  const unwatch = tls === undefined ? () => {} : await watchTls(options, { ...rls, log, seen });
  const where = hostAndPort(rls.server.address() as AddressInfo);
  return {
    where: `gRPC on ${where}${tls === undefined ? "" : " with TLS"}, for Envoy`,
    close: async () => {
      unwatch();
      await rls.close();
    },
  };
}

type ListenableServer = { listen(port: number, host: string): unknown } & NodeJS.EventEmitter;
type GrpcAddress = { readonly host: string; readonly port: number };

function listening(server: ListenableServer, { host, port }: GrpcAddress): Promise<unknown> {
  server.listen(port, host);
  return once(server, "listening");
}
