/** gRPC's health service; `proto/health.proto` has the fields. */
import protobuf from "protobufjs/minimal.js";
import { GrpcError, STATUS } from "./grpc/status.ts";

/**
 * The names that can be asked for: the empty one for the whole server, and its services.
 * `ratelimit` is upstream's name.
 */
const SERVICES = new Set([
  "",
  "ratelimit",
  "envoy.service.ratelimit.v3.RateLimitService",
  "envoy.service.auth.v3.Authorization",
]);

const SERVING = 1;
const NOT_SERVING = 2;

/** Answers a HealthCheckRequest. @throws GrpcError */
export function healthStatus(message: Buffer, isServing: boolean): Uint8Array {
  if (!SERVICES.has(serviceIn(message))) {
    throw new GrpcError(STATUS.NOT_FOUND, "there is no such service");
  }
  const status = isServing ? SERVING : NOT_SERVING;
  return protobuf.Writer.create().uint32(8).uint32(status).finish();
}

function serviceIn(message: Buffer): string {
  try {
    const reader = protobuf.Reader.create(message);
    let service = "";
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 10) service = reader.string();
      else reader.skipType(tag & 7);
    }
    return service;
  } catch {
    throw new GrpcError(STATUS.INTERNAL, "the message is not a HealthCheckRequest");
  }
}
