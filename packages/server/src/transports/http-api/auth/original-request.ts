/** Reads the request that a proxy asks about from the headers that this proxy sets. */
import type { IncomingHttpHeaders } from "node:http";
import { clientAddress } from "spillway/http";
import { type NormalRequest, normalRequest } from "../../../rules/index.ts";
import { RequestError } from "../../../service/index.ts";

/** The headers in which a proxy names the original request. */
type OriginalHeaders = { readonly method: string; readonly target: string; readonly host: string };

/** Caddy and Traefik set these themselves, and replace those of a client. */
const FORWARDED: OriginalHeaders = {
  method: "X-Forwarded-Method",
  target: "X-Forwarded-Uri",
  host: "X-Forwarded-Host",
};

/** The proxies that can ask, and what each sets. Only these headers are read. */
export const PROXIES = {
  nginx: { method: "X-Original-Method", target: "X-Original-URI", host: "X-Original-Host" },
  caddy: FORWARDED,
  traefik: FORWARDED,
  haproxy: FORWARDED,
} as const satisfies { readonly [proxy: string]: OriginalHeaders };

const ADDRESS = "X-Forwarded-For";

/** The original request: its headers, and the number of the client's address from the right. */
type AskedHeaders = { readonly headers: IncomingHttpHeaders; readonly hops: number };

/**
 * Returns the original request.
 *
 * @throws RequestError `bad-request` if the proxy does not name it, or if its path is a bad one. A
 * request that can't be classified must not pass its limits.
 */
export function originalRequest(
  named: OriginalHeaders,
  { headers, hops }: AskedHeaders,
): NormalRequest {
  const header = (name: string) => textOf(headers, name);
  const set = (name: string) => header(name.toLowerCase()) || missing(name);
  const addressOf = addressFinder(hops);
  const peer = { address: undefined, header };
  const address = (bits: number) => addressOf(peer, bits) ?? missing(ADDRESS);
  address(LONGEST_NETWORK);
  const head = { method: set(named.method), target: set(named.target), host: set(named.host) };
  return normalRequest({ ...head, header, address }) ?? badTarget(named.target);
}

const LONGEST_NETWORK = 64;

/** Functions that find an address, by the number of proxies. */
const finders = new Map<number, ReturnType<typeof clientAddress>>();

function addressFinder(hops: number): ReturnType<typeof clientAddress> {
  const known = finders.get(hops) ?? clientAddress({ trust: hops });
  finders.set(hops, known);
  return known;
}

/** A name such as `constructor` is no header. */
function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(", ") : value;
}

function missing(name: string): never {
  const detail =
    `Found no usable ${name}, expected the proxy to set it to that of the original request; ` +
    "see its configuration";
  throw new RequestError({ status: 400, code: "bad-request", detail });
}

function badTarget(name: string): never {
  const detail =
    `Found a path in ${name} with control characters, invalid escapes, or more than one meaning, ` +
    "expected one that every server reads alike";
  throw new RequestError({ status: 400, code: "bad-request", detail });
}
