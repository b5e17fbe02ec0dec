/** What is asked, as bytes: for one unit of one key, which has more than a run can take. */
import { bodyFor } from "../service/question.ts";

export { RULES } from "../service/question.ts";

export const METHOD = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

export type Entry = { readonly key: string; readonly value: string };

/** A RateLimitRequest in its frame, as it is sent to gRPC. Pure. */
export function grpcBody({ domain, entry }: { domain: string; entry: Entry }): Buffer {
  const inner = Buffer.concat([field(1, entry.key), field(2, entry.value)]);
  const descriptor = field(1, inner);
  const message = Buffer.concat([field(1, domain), field(2, descriptor)]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A field of protobuf's whose value has a length below 128. */
function field(number: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length > 127) throw new RangeError("the bench's own messages are short");
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

export const ENTRY: Entry = { key: "user", value: "anybody" };

/** The same request, for each way to ask it. */
export const GRPC = grpcBody({ domain: "bench", entry: ENTRY });
export const JSON_BODY = bodyFor(ENTRY.value);

export const GRPC_HEADERS = ["content-type: application/grpc", "te: trailers"] as const;
export const JSON_HEADERS = ["content-type: application/json"] as const;
