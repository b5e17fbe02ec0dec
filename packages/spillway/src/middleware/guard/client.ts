import { SpillwayError } from "../../core/index.ts";
import { type ClientAddress, checkPrefix } from "../../http/index.ts";

/** What an adapter reads of its framework's requests. */
export type RequestReader<R> = {
  method(request: R): string;
  /** A header's value, by its name in lower case. */
  header(request: R, name: string): string | undefined;
  /** The other end of the connection; undefined where it is not known. */
  peer(request: R): string | undefined;
};

/** Who has sent a request, as far as that can't be forged. */
export type Client = {
  /** Its address as a key, by the route's `trust`; IPv6 by its network. */
  readonly address: string;
  /** The same with fewer bits of an IPv6 address, 32 to 64: for a second, coarser limit. */
  readonly network: (ipv6Prefix: number) => string;
};

/** What finds who has sent a request. */
export type ClientParts<R> = {
  readonly request: R;
  readonly reader: RequestReader<R>;
  readonly find: ClientAddress;
  /** Returns the other end of the connection in the reader's place. */
  readonly peer: (() => string | undefined) | undefined;
};

/** A request as functions of a route see its sender; nothing is read before somebody asks. */
export class ClientOf<R> implements Client {
  readonly #parts: ClientParts<R>;

  constructor(parts: ClientParts<R>) {
    this.#parts = parts;
  }

  get address(): string {
    return this.#key();
  }

  /** It may be taken from its object. */
  get network(): (ipv6Prefix: number) => string {
    return (ipv6Prefix) => {
      checkPrefix(ipv6Prefix);
      return this.#key(ipv6Prefix);
    };
  }

  #key(ipv6Prefix?: number): string {
    const { request, reader, find, peer } = this.#parts;
    const address = peer === undefined ? reader.peer(request) : peer();
    const header = (name: string) => reader.header(request, name);
    const found = find({ address, header }, ipv6Prefix);
    if (found === undefined) throw noAddress(address);
    return found;
  }
}

/** Nobody's address must not become everybody's key. */
function noAddress(value: string | undefined): SpillwayError {
  return new SpillwayError({
    code: "bad-key",
    field: "key",
    value,
    expected: "the client's address, which nothing here can find",
    hint: "Pass `peer`, a function that reads it, or a `key`",
  });
}
