/** Clients of raw connections, as they are: they send at once, say nothing, or go away. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, type Server, type Socket } from "node:net";

/** Listens on a free port of an address. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** How a connection ended: what was received, and whether it was reset. */
export type Ending = { readonly text: string; readonly code: string | undefined };

/** A client that sends something at once, and keeps what it receives. */
export class Client {
  readonly socket: Socket;
  readonly ended: Promise<Ending>;
  #text = "";
  #code: string | undefined;
  #heard: () => void = () => {};

  constructor(port: number, { say = "", from = "127.0.0.1", host = "127.0.0.1" } = {}) {
    this.socket = connect({ port, host, localAddress: from });
    if (say !== "") this.socket.write(say);
    this.socket.setEncoding("latin1");
    this.socket.on("data", (text: unknown) => {
      this.#text += text;
      this.#heard();
    });
    this.socket.on("error", (error: NodeJS.ErrnoException) => {
      this.#code = error.code;
    });
    this.ended = new Promise((resolve) => {
      this.socket.once("close", () => resolve({ text: this.#text, code: this.#code }));
    });
  }

  get text(): string {
    return this.#text;
  }

  /** Resolves once something that matches was received. */
  async heard(what: RegExp): Promise<string> {
    while (!what.test(this.#text)) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    return this.#text;
  }

  close(): Promise<Ending> {
    this.socket.destroy();
    return this.ended;
  }
}

/** Resolves once something holds; looks after each turn of the event loop. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** Closes a server and whatever is connected to it. */
export async function closed(server: Server, clients: readonly Client[] = []): Promise<void> {
  for (const client of clients) client.socket.destroy();
  if (!server.listening) return;
  server.close();
  await once(server, "close");
}
