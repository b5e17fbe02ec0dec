/** Options of the gRPC transport. */
import { InvalidArgumentError, type Option } from "commander";
import { isClientName } from "../../transports/envoy-rls/index.ts";
import { optionOf } from "./option.ts";
import { toFile, toHost, toWhole } from "./readers.ts";
import { timeOption } from "./time-option.ts";

export type GrpcServeOptions = {
  readonly grpcHost: string | undefined;
  readonly grpcPort: number | undefined;
  readonly grpcMaxConnectionAge: number;
  readonly grpcGrace: number;
  readonly grpcMaxMessage: number;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly tlsClientCa: string | undefined;
  /** The name that the certificates of clients must have; undefined: any. */
  readonly tlsClientSan: string | undefined;
};

/** Creates the options. Each overrides its environment variable. */
export function grpcOptions(): readonly Option[] {
  return [...connectionOptions(), ...tlsOptions()];
}

function connectionOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--grpc-host <host>",
      about: "the address for gRPC. Default: that of --host",
      env: "GRPC_HOST",
      read: toHost,
    }),
    optionOf({
      flags: "--grpc-port <port>",
      about: "the port for gRPC. Default: 8081, or any free port if --port is 0",
      env: "GRPC_PORT",
      read: toWhole({ least: 0, most: 65_535 }),
    }),
    timeOption({
      flags: "--grpc-max-connection-age <time>",
      about: "the age at which a connection takes no more calls, such as 30m",
      env: "GRPC_MAX_CONNECTION_AGE",
      usual: "24h",
    }),
    timeOption({
      flags: "--grpc-grace <time>",
      about: "how long open calls may take after that age, or after a stop signal",
      env: "GRPC_MAX_CONNECTION_AGE_GRACE",
      usual: "5s",
    }),
    optionOf({
      flags: "--grpc-max-message <bytes>",
      about: "the longest message",
      env: "SPILLWAY_GRPC_MAX_MESSAGE",
      usual: 1024 * 1024,
      read: toWhole({ least: 1024, most: 64 * 1024 * 1024 }),
    }),
  ];
}

function tlsOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--tls-cert <file>",
      about: "the gRPC server's certificate, in PEM; all TLS files are reloaded when they change",
      env: "GRPC_SERVER_TLS_CERT",
      read: toFile,
    }),
    optionOf({
      flags: "--tls-key <file>",
      about: "its private key",
      env: "GRPC_SERVER_TLS_KEY",
      read: toFile,
    }),
    optionOf({
      flags: "--tls-client-ca <file>",
      about: "the authority of clients' certificates; clients then need one",
      env: "GRPC_CLIENT_TLS_CACERT",
      read: toFile,
    }),
    optionOf({
      flags: "--tls-client-san <name>",
      about: "a DNS name or an address that clients' certificates must contain",
      env: "GRPC_CLIENT_TLS_SAN",
      read: toClientName,
    }),
  ];
}

function toClientName(text: string): string {
  if (isClientName(text)) return text;
  throw new InvalidArgumentError("Expected a DNS name or an IP address.");
}
