/** The parts of a request that the `http` section reads. Each is parsed when it is first needed. */
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

/** A request whose path is in its normal spelling. */
export class NormalRequest {
  /** In upper case, because some servers take `post` for `POST`. */
  readonly method: string;
  readonly target: NormalTarget;
  /** The name in lower case, without a port. */
  readonly host: string;
  readonly header: RequestHead["header"];
  readonly address: RequestHead["address"];
  #parameters: ReadonlyMap<string, string> | undefined;
  #cookies: ReadonlyMap<string, string> | undefined;
  #userAgent: string | undefined;

  constructor({ method, host, header, address }: RequestHead, target: NormalTarget) {
    this.method = method.toUpperCase();
    this.target = target;
    this.host = hostName(host);
    this.header = header;
    this.address = address;
  }

  /** The path in its normal spelling. */
  get path(): string {
    return normalPath(this.target);
  }

  /** The decoded parameters of the query; of several with one name, the first. */
  get parameters(): ReadonlyMap<string, string> {
    this.#parameters ??= firstOfEach(new URLSearchParams(this.target.query));
    return this.#parameters;
  }

  /** The cookies; of several with one name, the first. */
  get cookies(): ReadonlyMap<string, string> {
    this.#cookies ??= firstOfEach((this.header("cookie") ?? "").split(";").map(cookieOf));
    return this.#cookies;
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

function firstOfEach(pairs: Iterable<readonly [string, string]>): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const [name, value] of pairs) if (!first.has(name)) first.set(name, value);
  return first;
}

function cookieOf(text: string): readonly [string, string] {
  const equals = text.indexOf("=");
  if (equals < 0) return ["", text.trim()];
  return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
