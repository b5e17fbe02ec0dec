/** What an adapter reads of its framework's requests. */
export type RequestReader<R> = {
  method(request: R): string;
  /** A header's value, by its name in lower case. */
  header(request: R, name: string): string | undefined;
  /** The other end of the connection; undefined where it is not known. */
  peer(request: R): string | undefined;
  /** Whether the connection is over already, so that its other end can't be known. Default: it is not. */
  isGone?(request: R): boolean;
  /** The body as a parser has left it on the request; left out where there is no such place. */
  body?(request: R): unknown;
};

/** Who has sent a request, as far as that can't be forged. */
export type Client = {
  /** Its address as a key, by the route's `trust`; IPv6 by its network. */
  readonly address: string;
  /** The same with fewer bits of an IPv6 address, 32 to 64: for a second, coarser limit. */
  readonly network: (ipv6Prefix: number) => string;
};
