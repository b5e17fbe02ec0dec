/** Warns of keys that are addresses, but not the addresses of clients. */
import { quietly, warnOnce } from "../../internal/index.ts";
import type { Warn } from "../../limits/core/index.ts";
import { addressKey, forwardingHeader, parseAddress } from "../headers/index.ts";
import type { RequestReader } from "./client.ts";
import type { Entrance } from "./entrance.ts";
import type { RouteAsk } from "./route-asks.ts";

/**
 * The number of requests that are checked. A wrong key function already shows in the first
 * requests.
 */
const CHECKED = 1000;

export type KeyWarningsOptions<R> = {
  readonly reader: RequestReader<R>;
  /**
   * Whether the adapter reads the peer address itself, rather than by the route's `peer` function.
   */
  readonly knowsPeer: boolean;
  readonly warn: Warn | undefined;
};

/** Warns once of keys that are a connection's address behind a proxy, or a whole IPv6 address. */
export class KeyWarnings<R> {
  readonly #options: KeyWarningsOptions<R>;
  #left = CHECKED;

  constructor(options: KeyWarningsOptions<R>) {
    this.#options = options;
  }

  look(entrance: Entrance<R>, asks: readonly RouteAsk[]): void {
    if (this.#left === 0) return;
    this.#left--;
    for (const { key } of asks) {
      for (const part of key.split("|")) quietly(() => this.#lookAt(entrance, part));
    }
  }

  #lookAt(entrance: Entrance<R>, part: string): void {
    const key = plainKey(part);
    if (key === undefined) return;
    const { reader, knowsPeer, warn } = this.#options;
    if (key.endsWith("/64")) warnOnce({ subject: "IPv6 key", message: WHOLE }, warn);
    if (!knowsPeer || entrance.isAddressRead) return;
    const { request } = entrance;
    const name = forwardingHeader((name) => reader.header(request, name));
    if (name === undefined || plainKey(reader.peer(request) ?? "") !== key) return;
    warnOnce({ subject: "key of a proxy", message: proxyKey(name) }, warn);
  }
}

/** Returns the key that this library makes of an address; undefined for other text. */
function plainKey(text: string): string | undefined {
  const address = parseAddress(text);
  return address && addressKey(address, 64);
}

const WHOLE =
  "a key of a route is a whole IPv6 address, and every client has 2^64 of them. Leave `key` " +
  "out, or take the client's network: key: (request, client) => client.address";

function proxyKey(name: string): string {
  return (
    `a key of a route is the address of the connection, and the request has ${name}: behind a ` +
    "proxy, all clients share this key. Leave `key` out, or use client.address, and name " +
    "your proxies with `trust`"
  );
}
