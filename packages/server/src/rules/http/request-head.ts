/** The parts of a request that the `http` section reads. Each is parsed when it is first needed. */
import { cookiesIn, Parameters } from "./named-parts.ts";
import { type NormalTarget, normalPath, readTarget } from "./normal-path.ts";

/** A request as it was received. */
export type RequestHead = {
  readonly method: string;
  /** The target, whose characters are its bytes. */
  readonly target: string;
  readonly host: string;
  /** Returns a header's value; undefined if there is none. `name` is in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Returns the client's address: of IPv6, the network of that many bits, from 32 to 64. */
  readonly address: (v6Bits: number) => string;
};

/**
 * A request whose path is in its normal spelling.
 *
 * What is empty is missing: nginx drops empty headers, and a client with an empty key has none.
 */
export class NormalRequest {
  /** In upper case, because some servers take `post` for `POST`. */
  readonly method: string;
  readonly target: NormalTarget;
  /** The name in lower case, without a port. */
  readonly host: string;
  readonly address: RequestHead["address"];
  readonly #header: RequestHead["header"];
  #parameters: Parameters | undefined;
  #cookies: ReadonlyMap<string, string> | undefined;
  #userAgent: string | undefined;

  constructor({ method, host, header, address }: RequestHead, target: NormalTarget) {
    this.method = method.toUpperCase();
    this.target = target;
    this.host = hostName(host);
    this.#header = header;
    this.address = address;
  }

  /** The path in its normal spelling. */
  get path(): string {
    return normalPath(this.target);
  }

  /** Returns a header. `name` is in lower case. */
  header(name: string): string | undefined {
    return this.#header(name) || undefined;
  }

  /**
   * Returns a decoded parameter of the query; of several with one name, the first.
   *
   * @throws TooManyParts
   */
  parameter(name: string): string | undefined {
    this.#parameters ??= new Parameters(this.target.query);
    return this.#parameters.get(name) || undefined;
  }

  /** Returns a cookie; of several with one name, the first. @throws TooManyParts */
  cookie(name: string): string | undefined {
    this.#cookies ??= cookiesIn(this.header("cookie") ?? "");
    return this.#cookies.get(name) || undefined;
  }

  /** The searched part of the user agent, in lower case. */
  get userAgent(): string {
    this.#userAgent ??= searched(this.header("user-agent") ?? "").toLowerCase();
    return this.#userAgent;
  }
}

/** Normalizes a request; undefined if its path is a bad one. Pure. */
export function normalRequest(head: RequestHead): NormalRequest | undefined {
  const target = readTarget(head.target);
  return target && new NormalRequest(head, target);
}

/** Returns the name of a host in lower case, without a port and without dots at its end. */
function hostName(host: string): string {
  const colon = host.indexOf(":", host.startsWith("[") ? host.indexOf("]") : 0);
  let end = colon < 0 ? host.length : colon;
  while (host[end - 1] === ".") end--;
  return host.slice(0, end).toLowerCase();
}

/** The longest text in which parts are searched, so that many searches take little time. */
const LONGEST_SEARCHED = 512;

/** Returns the part of a value in which texts are searched. */
export function searched(value: string): string {
  return value.length > LONGEST_SEARCHED ? value.slice(0, LONGEST_SEARCHED) : value;
}
