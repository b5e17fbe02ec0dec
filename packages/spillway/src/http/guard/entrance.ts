/** An incoming request and its sender. */
import { abandon, badOption, type StopSignal } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";
import { type ClientAddress, checkPrefix } from "../headers/index.ts";
import type { BodyCarrier, BodyState } from "./bodies.ts";
import { type Client, hostIn, type RequestReader } from "./client.ts";
import { reportOf } from "./passage.ts";
import type { RouteDecision } from "./route.ts";
import type { RouteReport } from "./route-headers.ts";

/** Details of a request that only the adapter knows. */
export type EntranceOptions = {
  /** Aborts when the client disconnects. Shedders and waits for a start use it. */
  readonly signal?: StopSignal | undefined;
  /** The decision of an earlier route on the same request. */
  readonly previous?: RouteDecision | undefined;
  /** Returns the peer address of the connection, if the request does not contain it. */
  readonly peer?: () => string | undefined;
};

/** The functions by which a route reads its requests and finds their addresses. */
export type RouteReaders<R> = { readonly reader: RequestReader<R>; readonly find: ClientAddress };

/**
 * A request and its sender, as the functions of a route see them. Each value is read on first use.
 */
export class Entrance<R> implements Client, BodyCarrier {
  readonly request: R;
  readonly signal: StopSignal | undefined;
  readonly previous: RouteDecision | undefined;
  /** Whether the client's address was read. */
  isAddressRead = false;
  readonly #reading: RouteReaders<R>;
  readonly #peer: (() => string | undefined) | undefined;

  constructor(reading: RouteReaders<R>, request: R, { signal, previous, peer }: EntranceOptions) {
    this.request = request;
    this.signal = signal;
    this.previous = previous;
    this.#reading = reading;
    this.#peer = peer;
  }

  /** The limits that earlier routes reported. */
  get report(): RouteReport | undefined {
    return reportOf(this.previous);
  }

  /** Whether the request was sent by a script of another origin, as its `Origin` header shows. */
  get isCrossOrigin(): boolean {
    return this.#reading.reader.header(this.request, "origin") !== undefined;
  }

  get address(): string {
    return this.#key();
  }

  /** Returns a function that works without its object, so that it can be destructured. */
  get network(): (ipv6Prefix: number) => string {
    return (ipv6Prefix) => {
      checkPrefix(ipv6Prefix);
      return this.#key(ipv6Prefix);
    };
  }

  get method(): string {
    return this.#reading.reader.method(this.request);
  }

  /** The target as the client sent it. @throws SpillwayError `bad-option` */
  get target(): string {
    const { reader } = this.#reading;
    const target = reader.target?.(this.request);
    if (target !== undefined) return target;
    throw badOption("limits", reader.target, "an adapter that reads the target of a request");
  }

  /** The host that the request names; empty if it names none. */
  get host(): string {
    return this.#authority ?? this.header("host") ?? hostIn(this.target) ?? "";
  }

  /**
   * Whether all names of its host are the same. Of two, each framework takes another one for the
   * host (RFC 9113, 8.3.1).
   */
  get hasOneHost(): boolean {
    const authority = this.#authority;
    const host = authority === undefined ? undefined : this.header("host");
    return host === undefined || host.toLowerCase() === authority?.toLowerCase();
  }

  get #authority(): string | undefined {
    return this.#reading.reader.authority?.(this.request);
  }

  /** Returns a function that works without its object. */
  get header(): (name: string) => string | undefined {
    return (name) => this.#reading.reader.header(this.request, name);
  }

  /** The state of the request's body; undefined if the framework keeps no body on its requests. */
  get body(): BodyState | undefined {
    const { reader } = this.#reading;
    if (reader.body === undefined) return undefined;
    if ((reader.body(this.request) ?? undefined) !== undefined) return "parsed";
    const length = reader.header(this.request, "content-length") ?? "0";
    const isSent = reader.header(this.request, "transfer-encoding") !== undefined || length !== "0";
    return isSent ? "unread" : "absent";
  }

  #key(ipv6Prefix?: number): string {
    this.isAddressRead = true;
    const { reader, find } = this.#reading;
    const address = peerAddress(
      this.#peer === undefined ? reader.peer(this.request) : this.#peer(),
    );
    const header = (name: string) => reader.header(this.request, name);
    const found = find({ address, header }, ipv6Prefix);
    if (found !== undefined) return found;
    if (reader.isGone?.(this.request)) throw new ClientGone();
    throw noAddress(address);
  }
}

/**
 * The client disconnected before its address was read. This is not a failure of the route, and no
 * reason to admit the request.
 */
export class ClientGone extends Error {
  constructor() {
    super("the client disconnected before its address was read");
  }
}

/** A route's own `peer` may return anything. @throws SpillwayError `bad-option` */
function peerAddress(address: unknown): string | undefined {
  if (typeof address === "string" || address === undefined) return address;
  abandon(address);
  throw badOption("peer", address, "a function that returns an address as text, at once");
}

/** An unknown address must not become one key that all clients share. */
function noAddress(value: string | undefined): SpillwayError {
  return new SpillwayError({
    code: "bad-key",
    field: "key",
    value,
    isPrivate: true,
    expected: "the client's address, which is unknown here",
    hint: "Pass `peer`, a function that reads it, or a `key`",
  });
}
