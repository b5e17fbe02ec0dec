/** A client of the routes under limits. */
import { connect } from "node:net";
import { until } from "../../../packages/spillway/test/servers/until.ts";

/** What `/state` answers: what is left of a key's limits, and what came of its requests. */
export type State = {
  readonly requests: number;
  readonly leases: number;
  readonly turns: number;
  readonly settled: readonly string[];
  readonly failed: readonly string[];
};

const HANDSHAKE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** A request that was sent. */
export type Begun = {
  /** The first bytes of the answer; none where the connection ended before. */
  readonly head: Promise<string>;
  /** Breaks the connection off. workerd notices no other end while it has nothing to send. */
  readonly go: () => void;
};

/** One that uses a key of its own. */
export class Client {
  readonly #url: string;
  readonly #key = crypto.randomUUID();

  constructor(url: string) {
    this.#url = url;
  }

  #at(path: string): string {
    return `${this.#url}${path}${path.includes("?") ? "&" : "?"}key=${this.#key}`;
  }

  get(path: string): Promise<Response> {
    return fetch(this.#at(path));
  }

  async state(): Promise<State> {
    return (await (await this.get("/state")).json()) as State;
  }

  /** Until so many leases are left. */
  untilLeft(leases: number): Promise<void> {
    return until(async () => (await this.state()).leases === leases, {
      what: `${leases} leases are left`,
    });
  }

  /** A WebSocket; `opened` is whether it was. */
  open(path: string): { readonly socket: WebSocket; readonly opened: Promise<boolean> } {
    const socket = new WebSocket(this.#at(path).replace("http", "ws"));
    const opened = new Promise<boolean>((resolve) => {
      socket.addEventListener("open", () => resolve(true));
      socket.addEventListener("error", () => resolve(false));
    });
    return { socket, opened };
  }

  /** Asks by a connection of its own. */
  begin(path: string, headers = ""): Begun {
    const { hostname, port, pathname, search } = new URL(this.#at(path));
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: site.example\r\n${headers}\r\n`);
    const head = new Promise<string>((resolve) => {
      socket.once("data", (data) => resolve(String(data)));
      socket.once("close", () => resolve(""));
    });
    return { head, go: () => void socket.resetAndDestroy() };
  }

  /** Asks for a WebSocket by a connection of its own. */
  shake(path: string): Begun {
    return this.begin(path, HANDSHAKE);
  }
}

/** What an echoing WebSocket answers. */
export function echoOf(socket: WebSocket, text: string): Promise<unknown> {
  return new Promise((resolve) => {
    socket.addEventListener("message", ({ data }) => resolve(data), { once: true });
    socket.send(text);
  });
}
