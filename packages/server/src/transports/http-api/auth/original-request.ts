/** Reads the request that a proxy asks about from the headers that this proxy sets. */
import type { IncomingMessage } from "node:http";
import { clientAddress } from "spillway/http";
import type { NormalRequest } from "../../../rules/index.ts";
import { addressOf, badRequest, plainHeader, plainRequest } from "../../asking/index.ts";

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

/** A proxy's request, and the number of the client's address from the right. */
type AskedRequest = { readonly asked: IncomingMessage; readonly hops: number };

/**
 * Returns the original request.
 *
 * @throws RequestError `bad-request` if the proxy does not name it, if its path is a bad one, or,
 * from its `header`, if that is repeated. A request that can't be classified must not pass its
 * limits.
 */
export function originalRequest(
  named: OriginalHeaders,
  { asked, hops }: AskedRequest,
): NormalRequest {
  const header = (name: string) => plainHeader(name, valuesOf(asked, name));
  // The guard against web pages reads only one.
  header("host");
  const set = (name: string) => header(name.toLowerCase()) || missing(name);
  // Proxies may add lines of their own to this one.
  const joined = (name: string) => allOf(asked, name);
  const address = (bits: number) => addressOf({ header: joined, hops }, bits) ?? missing(ADDRESS);
  address(LONGEST_NETWORK);
  const head = { method: set(named.method), target: set(named.target), host: set(named.host) };
  return plainRequest({ ...head, header, address }, named.target);
}

/**
 * Returns the request that Envoy asks about: its own one, with `prefix` before the original path.
 *
 * The last entry of `X-Forwarded-For` is Envoy itself, which adds its address to what it asks.
 *
 * @throws RequestError `bad-request` as above
 */
export function envoyRequest(asked: IncomingMessage, prefix: string): NormalRequest {
  const header = (name: string) => plainHeader(name, valuesOf(asked, name));
  const peer = { address: header(ENVOY_ADDRESS.toLowerCase()), header: () => undefined };
  const address = (bits: number) => ofPeer(peer, bits) ?? missing(ENVOY_ADDRESS);
  address(LONGEST_NETWORK);
  const { method = "GET", url = "" } = asked;
  const target = url.slice(prefix.length);
  const host = header("host") || missing("Host");
  return plainRequest({ method, target, host, header, address });
}

/** Envoy's configuration sets it, which replaces that of a client. */
const ENVOY_ADDRESS = "X-Original-Address";

const ofPeer = clientAddress({});

const LONGEST_NETWORK = 64;

/** Returns all values of a header, joined. */
export function allOf(asked: IncomingMessage, name: string): string | undefined {
  return valuesOf(asked, name)?.join(", ");
}

/** Returns all values of a header. A name such as `constructor` is no header. */
function valuesOf({ headersDistinct }: IncomingMessage, name: string): string[] | undefined {
  return Object.hasOwn(headersDistinct, name) ? headersDistinct[name] : undefined;
}

function missing(name: string): never {
  throw badRequest(
    `Found no usable ${name}, expected the proxy to set it to that of the original request; ` +
      "see its configuration",
  );
}
