/** Reads the requests of a framework. Each adapter has one. */
export type RequestReader<R> = {
  method(request: R): string;
  /** Returns a header's value. `name` is in lower case. */
  header(request: R, name: string): string | undefined;
  /**
   * Returns the target as the client sent it, or a whole URL. Left out if the adapter supports no
   * limits that are found for each request.
   */
  target?(request: R): string | undefined;
  /**
   * Returns the host that the connection itself names beside `Host`: `:authority` of HTTP/2, or the
   * host of an absolute target. A request whose `Host` differs is refused by limits that are found
   * for each request. Left out if the framework hides it.
   */
  authority?(request: R): string | undefined;
  /** Returns the peer address of the connection; undefined if it is unknown. */
  peer(request: R): string | undefined;
  /** Whether the connection has already ended, so that its peer address is unknown. Default: no. */
  isGone?(request: R): boolean;
  /**
   * Returns the body that a parser has put on the request. Left out if the framework has no such
   * place.
   */
  body?(request: R): unknown;
};

/** The sender of a request, as far as it can't be forged. */
export type Client = {
  /**
   * The client's address as a key, found according to the route's `trust`. IPv6 addresses are
   * masked to their network.
   */
  readonly address: string;
  /** Returns the same address with fewer bits of IPv6, 32 to 64, for a second, coarser limit. */
  readonly network: (ipv6Prefix: number) => string;
};

/** Returns the host of a whole URL; undefined for a path. Pure. */
export function hostIn(target: string): string | undefined {
  if (target.startsWith("/")) return undefined;
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
}
