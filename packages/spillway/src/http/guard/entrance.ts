/** A request that has arrived, and who has sent it. */
import { abandon, badOption, type StopSignal } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";
import { type ClientAddress, checkPrefix } from "../headers/index.ts";
import type { BodyState, WithBody } from "./bodies.ts";
import type { Client, RequestReader } from "./client.ts";
import { reportOf } from "./passage.ts";
import type { RouteDecision } from "./route.ts";
import type { Report } from "./route-headers.ts";

/** What an adapter knows of a request beside what it can read. */
export type Entering = {
  /** Aborts when the client goes away; for a shedder. */
  readonly signal?: StopSignal | undefined;
  /** What an earlier route has decided on the same request. */
  readonly previous?: RouteDecision | undefined;
  /** The other end of the connection, where the request does not name it. */
  readonly peer?: () => string | undefined;
};

/** How a route reads its requests, and finds their addresses. */
export type Reading<R> = { readonly reader: RequestReader<R>; readonly find: ClientAddress };

/** A request, as functions of a route see its sender; nothing is read before somebody asks. */
export class Entrance<R> implements Client, WithBody {
  readonly request: R;
  readonly signal: StopSignal | undefined;
  readonly previous: RouteDecision | undefined;
  /** Whether the client's address was asked for. */
  isAddressRead = false;
  readonly #reading: Reading<R>;
  readonly #peer: (() => string | undefined) | undefined;

  constructor(reading: Reading<R>, request: R, { signal, previous, peer }: Entering) {
    this.request = request;
    this.signal = signal;
    this.previous = previous;
    this.#reading = reading;
    this.#peer = peer;
  }

  /** What earlier routes have reported. */
  get report(): Report | undefined {
    return reportOf(this.previous);
  }

  /** Whether a script of another origin asks. */
  get isCrossOrigin(): boolean {
    return this.#reading.reader.header(this.request, "origin") !== undefined;
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

  /** Whether there is a body to read. */
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

/** Nobody is there to be limited or answered: no failure of the route, and no reason to let a request pass. */
export class ClientGone extends Error {
  constructor() {
    super("the client had gone before its address was read");
  }
}

/** A route's own `peer` may return anything. @throws SpillwayError `bad-option` */
function peerAddress(address: unknown): string | undefined {
  if (typeof address === "string" || address === undefined) return address;
  abandon(address);
  throw badOption("peer", address, "a function that returns an address as text, at once");
}

/** Nobody's address must not become everybody's key. */
function noAddress(value: string | undefined): SpillwayError {
  return new SpillwayError({
    code: "bad-key",
    field: "key",
    value,
    isPrivate: true,
    expected: "the client's address, which nothing here can find",
    hint: "Pass `peer`, a function that reads it, or a `key`",
  });
}
