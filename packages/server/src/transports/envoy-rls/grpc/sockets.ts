/**
 * The connections of a gRPC server before they are sessions: bounds their number and the time of
 * their handshake.
 */
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { afterDelay } from "spillway/support";
import type { Defence } from "../../intake/index.ts";

export type SocketOptions = {
  /** The maximum number of connections at once. Further ones are closed on arrival. */
  readonly maxConnections: number;
  /**
   * Milliseconds from the start of a connection until its client must have sent HTTP/2's first
   * settings, after TLS if it is used.
   */
  readonly handshake: number;
  /** Called for each connection that is refused or cut. */
  readonly onDefence: (defence: Defence) => void;
};

export class Sockets {
  readonly #options: SocketOptions;
  readonly #open = new Set<Socket>();
  /**
   * Connections that have not sent their settings, by address and port, with the function that ends
   * their wait.
   */
  readonly #silent = new Map<string, SilentSocket>();

  constructor(server: Http2Server | Http2SecureServer, options: SocketOptions) {
    this.#options = options;
    // Runs before Node creates a session.
    server.prependListener("connection", (socket) => this.#add(socket));
    server.on("session", (session) => this.#listen(session));
    // A TLS client without a common protocol: Node would answer by HTTP/1, and wait.
    server.on("unknownProtocol", (socket) => socket.destroy());
  }

  /** Closes connections without a session, which can't be informed of a stop. */
  close(): void {
    for (const { socket, hasSession } of this.#silent.values()) if (!hasSession) socket.destroy();
  }

  #add(socket: Socket): void {
    const { maxConnections, handshake } = this.#options;
    if (this.#open.size >= maxConnections) {
      this.#cut(socket, "connection-refused");
      return;
    }
    const peer = peerOf(socket);
    const cancel = afterDelay(handshake, () => this.#cut(socket, "handshake-cut"));
    const silent = { socket, cancel, hasSession: false };
    this.#open.add(socket);
    this.#silent.set(peer, silent);
    socket.once("close", () => {
      cancel();
      this.#open.delete(socket);
      // Another connection may already use the port.
      if (this.#silent.get(peer) === silent) this.#silent.delete(peer);
    });
  }

  /**
   * A session over TLS has a socket of its own on top of the accepted one; both have the same peer.
   */
  #listen(session: ServerHttp2Session): void {
    const peer = peerOf(session.socket);
    const silent = this.#silent.get(peer);
    if (silent !== undefined) silent.hasSession = true;
    session.once("remoteSettings", () => {
      silent?.cancel();
      this.#silent.delete(peer);
    });
  }

  #cut(socket: Socket, defence: Defence): void {
    this.#options.onDefence(defence);
    socket.destroy();
  }
}

type SilentSocket = { readonly socket: Socket; readonly cancel: () => void; hasSession: boolean };

function peerOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">) {
  return `${remoteAddress} ${remotePort}`;
}
