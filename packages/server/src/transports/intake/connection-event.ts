import type { Server } from "node:net";
import { Server as TlsServer } from "node:tls";

/** With TLS, requests come on sockets of their own, once a handshake is over. */
export function connectionEvent(server: Server): "connection" | "secureConnection" {
  return server instanceof TlsServer ? "secureConnection" : "connection";
}
