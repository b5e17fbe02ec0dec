/** Options of the gRPC transport. */
import { InvalidArgumentError, type Option } from "commander";
import { milliseconds } from "spillway/core";
import { optionOf } from "./option.ts";
import { toWhole } from "./whole-number.ts";

export type GrpcOptions = {
  readonly grpcHost: string | undefined;
  readonly grpcPort: number | undefined;
  readonly grpcMaxConnectionAge: number;
  readonly grpcGrace: number;
  readonly grpcMaxMessage: number;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly tlsClientCa: string | undefined;
};

const HOST = {
  flags: "--grpc-host <host>",
  about: "the address for gRPC. Default: that of --host",
  env: "GRPC_HOST",
  usual: undefined,
};
const PORT = {
  flags: "--grpc-port <port>",
  about: "the port for gRPC. Default: 8081, or any that is free where --port is 0",
  env: "GRPC_PORT",
  usual: undefined,
};
const AGE = {
  flags: "--grpc-max-connection-age <time>",
  about: "after which a connection takes no more calls, such as 30m",
  env: "GRPC_MAX_CONNECTION_AGE",
  usual: "24h",
};
const GRACE = {
  flags: "--grpc-grace <time>",
  about: "for calls to end on a connection that is too old, or when the service stops",
  env: "GRPC_MAX_CONNECTION_AGE_GRACE",
  usual: "5s",
};
const MESSAGE = {
  flags: "--grpc-max-message <bytes>",
  about: "the longest message",
  env: "SPILLWAY_GRPC_MAX_MESSAGE",
  usual: 1024 * 1024,
};
const CERT = {
  flags: "--tls-cert <file>",
  about: "the certificate of gRPC, in PEM; read again when it changes, as the other two",
  env: "GRPC_SERVER_TLS_CERT",
  usual: undefined,
};
const KEY = {
  flags: "--tls-key <file>",
  about: "its private key",
  env: "GRPC_SERVER_TLS_KEY",
  usual: undefined,
};
const CLIENT_CA = {
  flags: "--tls-client-ca <file>",
  about: "the authority of clients' certificates, which they then need",
  env: "GRPC_CLIENT_TLS_CACERT",
  usual: undefined,
};

/** Makes the options; each overrides its variable of the environment. */
export function grpcOptions(): readonly Option[] {
  return [
    optionOf(HOST),
    optionOf(PORT).argParser(toWhole({ least: 0, most: 65_535 })),
    timeOption(AGE),
    timeOption(GRACE),
    optionOf(MESSAGE).argParser(toWhole({ least: 1024, most: 64 * 1024 * 1024 })),
    optionOf(CERT),
    optionOf(KEY),
    optionOf(CLIENT_CA),
  ];
}

function timeOption(description: typeof AGE): Option {
  const option = optionOf(description).argParser(toMilliseconds);
  return option.default(toMilliseconds(description.usual), description.usual);
}

/** Go's durations have several units, such as 1h30m. */
function toMilliseconds(text: string): number {
  const parts = text.match(/\d+(?:ms|[smhd])/g) ?? [];
  const times = parts.map((part) => milliseconds(part.replace(/^0+(?=\d)/, "")) ?? 0);
  const sum = times.reduce((total, time) => total + time, 0);
  if (parts.join("") === text && sum > 0 && sum <= LONGEST) return sum;
  throw new InvalidArgumentError("Expected a time such as 30m, from 1ms to 366d.");
}

const LONGEST = milliseconds("366d") ?? 0;
