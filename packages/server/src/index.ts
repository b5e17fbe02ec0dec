export * from "./rules/index.ts";
export * from "./service/index.ts";
export { type EnvoyOptions, HEADER_NAMES, type HeaderNames } from "./transports/envoy/index.ts";
export {
  createRlsServer,
  type GrpcServer,
  type RlsOptions,
  type SessionOptions,
  type TlsOptions,
} from "./transports/envoy-rls/index.ts";
export * from "./transports/http-api/index.ts";
export { type Defence, HeldBytes, type HeldOptions } from "./transports/intake/index.ts";
