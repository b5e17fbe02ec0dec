/** Scenarios through a real gRPC client, which reads the .proto that is shipped. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import protobuf from "protobufjs";
import { createRlsServer, type RlsOptions } from "../../../src/index.ts";
import type { Answer, AnswerBody, Asked, Send, Stage } from "./scenario.ts";

const PROTO = fileURLToPath(new URL("../../../proto/ratelimit.proto", import.meta.url));
const PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

const root = protobuf.loadSync(PROTO);
const requestType = root.lookupType("RateLimitRequest");
const responseType = root.lookupType("RateLimitResponse");

export type RlsServer = {
  readonly server: ReturnType<typeof createRlsServer>["server"];
  readonly port: number;
  readonly setTls: ReturnType<typeof createRlsServer>["setTls"];
  readonly close: () => Promise<void>;
};

/** Serves on a free port. */
export async function serveRls(options: RlsOptions): Promise<RlsServer> {
  const { server, setTls, close } = createRlsServer({ grace: 100, ...options });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port, setTls, close };
}

/** A client of a server; plain unless it has credentials. */
export function clientOf(
  { port }: Pick<RlsServer, "port">,
  credentials = grpc.credentials.createInsecure(),
  options: grpc.ClientOptions = {},
): grpc.Client {
  return new grpc.Client(`localhost:${port}`, credentials, options);
}

/** Calls, and returns the answer as protobuf's JSON. @throws grpc.ServiceError */
export function call(
  client: grpc.Client,
  request: object,
  options: grpc.CallOptions = {},
): Promise<AnswerBody> {
  return callBytes(client, encoded(request), options);
}

/** The bytes of a request. */
export function encoded(request: object): Buffer {
  return Buffer.from(requestType.encode(requestType.fromObject(request)).finish());
}

/** Calls with the bytes of a message, whatever they are. */
export function callBytes(
  client: grpc.Client,
  bytes: Buffer,
  options: grpc.CallOptions = {},
): Promise<AnswerBody> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      PATH,
      (message: Buffer) => message,
      (answer: Buffer) => toBody(answer),
      bytes,
      new grpc.Metadata(),
      options,
      (error, value) => (error === null ? resolve(value as AnswerBody) : reject(error)),
    );
  });
}

type Value = {
  readonly kind: string;
  readonly [field: string]: unknown;
};

/** As `/json` would say it. */
function toBody(answer: Buffer): AnswerBody {
  const message = responseType.toObject(responseType.decode(answer), {
    enums: String,
    longs: Number,
  });
  return {
    ...message,
    statuses: (message.statuses ?? []).map((status: Record<string, { seconds: number }>) => ({
      ...status,
      durationUntilReset: status.durationUntilReset && `${status.durationUntilReset.seconds}s`,
    })),
    dynamicMetadata: message.dynamicMetadata && structOf(message.dynamicMetadata),
  };
}

function structOf({ fields = {} }: { readonly fields?: Record<string, Value> }) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, plainValue(value)]),
  );
}

function plainValue(value: Value): unknown {
  const { structValue, listValue, nullValue, ...others } = value;
  if (structValue !== undefined) return structOf(structValue as object);
  if (listValue !== undefined)
    return ((listValue as { values?: Value[] }).values ?? []).map(plainValue);
  return nullValue === undefined ? Object.values(others)[0] : null;
}

/** A server for a stage, and how to send to it. */
export async function overGrpc({ service, envoy }: Stage): Promise<{
  send: Send;
  close: () => Promise<void>;
}> {
  const server = await serveRls({ service, envoy });
  const client = clientOf(server);
  return {
    send: (request) => sendGrpc(client, request),
    close: async () => {
      client.close();
      await server.close();
    },
  };
}

async function sendGrpc(client: grpc.Client, request: Asked): Promise<Answer> {
  try {
    return { body: await call(client, toMessage(request)) };
  } catch (error) {
    return { error: (error as grpc.ServiceError).details };
  }
}

function toMessage({ domain, descriptors, hits_addend }: Asked): object {
  return {
    domain,
    hitsAddend: hits_addend,
    descriptors: descriptors.map(({ entries, limit, hits_addend: hits, is_negative_hits }) => ({
      entries: entries.map(([key, value]) => ({ key, value })),
      limit: limit && { requestsPerUnit: limit.requests_per_unit, unit: limit.unit },
      hitsAddend: hits === undefined ? undefined : { value: hits },
      isNegativeHits: is_negative_hits,
    })),
  };
}
