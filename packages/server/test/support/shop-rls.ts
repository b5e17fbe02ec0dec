/** The shop's rules over gRPC, until the test ends. */
import type * as grpc from "@grpc/grpc-js";
import { createService, type RlsOptions } from "../../src/index.ts";
import { clientOf, type RlsServer, serveRls } from "../transports/envoy/grpc-transport.ts";
import { atEnd } from "./at-end.ts";
import { rulesOf } from "./rules.ts";
import { SHOP } from "./shop.ts";

export async function serveShop(options: Partial<RlsOptions> = {}): Promise<RlsServer> {
  const service = createService({ rules: rulesOf(SHOP) });
  const server = await serveRls({ service, ...options });
  atEnd(server.close);
  return server;
}

export function openClient(...args: Parameters<typeof clientOf>): grpc.Client {
  const made = clientOf(...args);
  atEnd(() => made.close());
  return made;
}
