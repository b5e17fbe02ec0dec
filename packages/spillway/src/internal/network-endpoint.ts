import { printable } from "../limits/core/index.ts";

/** A network address, in the fields by which drivers are configured. */
export type NetworkEndpoint = {
  readonly host?: unknown;
  readonly port?: unknown;
  /** The path of a local socket. */
  readonly path?: unknown;
  /** A URL, which may contain a user and a password. */
  readonly url?: unknown;
};

/**
 * Returns the name of a server for messages: its kind and, if the driver has one, its address.
 * Pure.
 *
 * The name contains no users or passwords.
 */
export function placeOf(kind: string, address: NetworkEndpoint | undefined): string {
  const where = address && (hostOf(address) ?? hostIn(address.url));
  return where === undefined ? kind : `${kind} at ${printable(where)}`;
}

function hostOf({ host, port, path }: NetworkEndpoint): string | undefined {
  if (typeof path === "string" && path !== "") return path;
  const [one, its] = [first(host), first(port)];
  if (typeof one !== "string" || one === "") return undefined;
  return typeof its === "number" || typeof its === "string" ? `${one}:${its}` : one;
}

/** A driver with several hosts has lists of them. */
function first(one: unknown): unknown {
  return Array.isArray(one) ? one[0] : one;
}

/** Returns the host and port of a URL, without the scheme, user and password. */
function hostIn(url: unknown): string | undefined {
  if (typeof url !== "string") return undefined;
  return /^\w+:\/\/(?:[^/?#]*@)?([^/?#@]+)(?:[/?#]|$)/.exec(url)?.[1];
}
