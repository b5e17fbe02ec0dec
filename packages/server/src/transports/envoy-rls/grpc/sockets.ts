/** The connections of a gRPC server, from when they are accepted: how many, and whether they begin to speak HTTP/2. */
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { afterDelay } from "spillway/support";
import type { Defence } from "../../intake/index.ts";

export type SocketOptions = {
  /** The most connections at once; further ones are closed as they come. */
  readonly maxConnections: number;
  /**
   * Milliseconds from when a connection is accepted until its client has sent HTTP/2's first settings, after
   * TLS where there is TLS.
   */
  readonly handshake: number;
  /** Is called each time. */
  readonly onDefence: (defence: Defence) => void;
};

export class Sockets {
  readonly #options: SocketOptions;
  readonly #open = new Set<Socket>();
  /** Those that haven't sent their settings, by their clients' addresses and ports, and what ends the wait. */
  readonly #silent = new Map<string, Silent>();

  constructor(server: Http2Server | Http2SecureServer, options: SocketOptions) {
    this.#options = options;
    // Before Node makes a session of it.
    server.prependListener("connection", (socket) => this.#add(socket));
    server.on("session", (session) => this.#listen(session));
    // A TLS client that agrees on no protocol: Node would answer it by HTTP/1, and wait.
    server.on("unknownProtocol", (socket) => socket.destroy());
  }

  /** Ends those that have no session yet, which could not hear of it. */
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
      // Its port may be another connection's already.
      if (this.#silent.get(peer) === silent) this.#silent.delete(peer);
    });
  }

  /** A session of TLS has a socket of its own, on top of the one that was accepted: both have one peer. */
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

type Silent = { readonly socket: Socket; readonly cancel: () => void; hasSession: boolean };

function peerOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">) {
  return `${remoteAddress} ${remotePort}`;
}
