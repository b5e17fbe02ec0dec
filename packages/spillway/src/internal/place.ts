import { printable } from "../limits/core/index.ts";

/** Where something is across a network, as drivers are configured. */
export type Address = {
  readonly host?: unknown;
  readonly port?: unknown;
  /** Of a socket of this machine. */
  readonly path?: unknown;
  /** Which may have a user and a password in it. */
  readonly url?: unknown;
};

/**
 * What messages call something across a network: its kind and, where a driver says it, its address, without users and
 * passwords. Pure.
 */
export function placeOf(kind: string, address: Address | undefined): string {
  const where = address && (hostOf(address) ?? hostIn(address.url));
  return where === undefined ? kind : `${kind} at ${printable(where)}`;
}

function hostOf({ host, port, path }: Address): string | undefined {
  if (typeof path === "string" && path !== "") return path;
  const [one, its] = [first(host), first(port)];
  if (typeof one !== "string" || one === "") return undefined;
  return typeof its === "number" || typeof its === "string" ? `${one}:${its}` : one;
}

/** A driver that knows several hosts lists them. */
function first(one: unknown): unknown {
  return Array.isArray(one) ? one[0] : one;
}

/** Without what stands before the host. */
function hostIn(url: unknown): string | undefined {
  if (typeof url !== "string") return undefined;
  return /^\w+:\/\/(?:[^/?#]*@)?([^/?#@]+)(?:[/?#]|$)/.exec(url)?.[1];
}
