/** The gRPC transport of `spillway serve`. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { EnvoyOptions } from "../envoy/index.ts";
import type { OnRequest, Service } from "../service/index.ts";
import { type Log, type Metrics, openOn, Rarely } from "../telemetry/index.ts";
import { createRlsServer, type TlsOptions } from "../transports/envoy-rls/index.ts";
import { cannotListen } from "./command-error.ts";
import type { Intake } from "./serve-http.ts";
import type { ServeOptions } from "./serve-options.ts";
import { watchTls } from "./tls-files.ts";

const USUAL_PORT = 8081;

export type GrpcService = { readonly where: string; readonly close: () => Promise<void> };

type Serving = ServeOptions &
  Intake & {
    readonly service: Service;
    readonly envoy: EnvoyOptions;
    readonly log: Log;
    readonly metrics: Metrics;
    readonly onRequest: OnRequest | undefined;
    readonly tls: TlsOptions | undefined;
    /** What the files of the certificates looked like before they were read. */
    readonly seen: string;
  };

/** Answers gRPC. @throws CommandError where it can't */
export async function serveGrpc(options: Serving): Promise<GrpcService> {
  const { service, envoy, log, metrics, onRequest, tls, seen, tlsClientSan, host, port } = options;
  const { grpcHost = host, grpcPort = port === 0 ? 0 : USUAL_PORT } = options;
  const rarely = new Rarely({ warn: log.warn });
  const rls = createRlsServer({
    service,
    envoy,
    failsUnanswered: options.whenUnavailable === "error",
    tls,
    clientName: tlsClientSan,
    onWrongClient: () =>
      rarely.say(
        "client",
        `clients of gRPC whose certificate is not for ${tlsClientSan} are refused`,
      ),
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
  await listen(rls.server, { host: grpcHost, port: grpcPort });
  const unwatch = tls === undefined ? () => {} : await watchTls(options, { ...rls, log, seen });
  return {
    where: whereOf(rls.server.address() as AddressInfo, { isSecure: tls !== undefined }),
    close: async () => {
      unwatch();
      await rls.close();
    },
  };
}

type Listening = { listen(port: number, host: string): unknown } & NodeJS.EventEmitter;
type Address = { readonly host: string; readonly port: number };

async function listen(server: Listening, { host, port }: Address): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw cannotListen(error, { host, port, option: "--grpc-port", variable: "GRPC_PORT" });
  }
}

function whereOf(
  { address, port, family }: AddressInfo,
  { isSecure }: { isSecure: boolean },
): string {
  const host = family === "IPv6" ? `[${address}]` : address;
  return `gRPC on ${host}:${port}${isSecure ? " by TLS" : ""}, for Envoy`;
}
