/** Writes the headers by which an upstream learns who asked, and by which name. */
import { randomBytes } from "node:crypto";
import type { Warn } from "spillway/core";
import { type ClientAddressOptions, clientAddress, type Trust } from "spillway/http";
import { RequestError } from "../../service/index.ts";
import type { CheckedHead } from "./head.ts";

/** A client's connection. */
export type ClientConnection = {
  /** The peer's address. */
  readonly peer: string;
  readonly isEncrypted: boolean;
};

/** The client of a request: by which addresses it is limited, and what the upstream learns. */
export type Forwarder = {
  /** Returns the client's address: of IPv6, the network of that many bits. */
  readonly addressOf: (head: CheckedHead, peer: string, v6Bits: number) => string;
  /**
   * Returns all headers for the upstream, names and values in turn.
   *
   * @throws RequestError `forwarding-loop` if the request has passed this proxy before
   */
  readonly headersFor: (head: CheckedHead, client: ClientConnection) => string[];
};

/** An address for documentation (RFC 5737), which shows whether a peer is believed. */
const PROBE = "203.0.113.77";

function probed(field: string): string {
  return field === "forwarded" ? `for=${PROBE}` : PROBE;
}

/**
 * Creates the forwarder of a process. `trust` names the proxies in front of this one; by default
 * there are none, and what clients say about themselves is removed.
 */
export function forwarder({ trust, warn }: { readonly trust: Trust | undefined; warn: Warn }) {
  const options: ClientAddressOptions = trust === undefined ? { warn } : { trust, warn };
  const find = clientAddress(options);
  const believes = (peer: string) =>
    trust !== undefined && find({ address: peer, header: probed }) === PROBE;
  const name = `spillway-${randomBytes(6).toString("hex")}`;
  return {
    addressOf: (head: CheckedHead, peer: string, v6Bits: number) => {
      const header = (field: string) => joined(head.headers, field);
      return find({ address: peer, header }, v6Bits) ?? peer;
    },
    headersFor: (head: CheckedHead, client: ClientConnection) =>
      withForwarding(head, { ...client, name, isBelieved: believes(client.peer) }),
  } satisfies Forwarder;
}

/** Headers that only a proxy may set: frameworks take paths, hosts and addresses from them. */
const SET_BY_PROXIES =
  /^(?:x-(?:forwarded-.*|original-.*|rewrite-url|real-ip|(?:cluster-)?client-ip)|true-client-ip)$/;

type Forwarding = ClientConnection & { readonly name: string; readonly isBelieved: boolean };

function withForwarding(
  { version, headers, host }: CheckedHead,
  { peer: address, isEncrypted, name, isBelieved }: Forwarding,
): string[] {
  const peer = unmapped(address);
  const kept = new Kept(headers, isBelieved);
  const own = isEncrypted ? "https" : "http";
  const via = kept.all("via");
  if (via?.includes(name)) throw loop();
  const passing = kept.passing;
  passing.push("host", host);
  passing.push("X-Forwarded-For", listed(kept.all("x-forwarded-for"), peer));
  passing.push("X-Forwarded-Proto", kept.all("x-forwarded-proto") ?? own);
  passing.push("X-Forwarded-Host", kept.all("x-forwarded-host") ?? host);
  const element = `for=${node(peer)};host="${host}";proto=${own}`;
  passing.push("Forwarded", listed(kept.all("forwarded"), element));
  passing.push("Via", listed(via, `${version} ${name}`));
  return passing;
}

/** Sorts headers into those that pass as they are, and those that this proxy sets. */
class Kept {
  readonly passing: string[] = [];
  readonly #set = new Map<string, string>();

  constructor(headers: readonly string[], isBelieved: boolean) {
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] as string;
      const value = headers[index + 1] as string;
      const lower = name.toLowerCase();
      if (OWN.has(lower)) {
        if (isBelieved || lower === "via") {
          this.#set.set(lower, listed(this.#set.get(lower), value));
        }
      } else if (isBelieved || !SET_BY_PROXIES.test(lower)) this.passing.push(name, value);
    }
  }

  /** Returns all values of a header that this proxy sets. */
  all(name: string): string | undefined {
    return this.#set.get(name);
  }
}

const OWN: ReadonlySet<string> = new Set([
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
]);

function listed(before: string | undefined, value: string): string {
  return before === undefined || before === "" ? value : `${before}, ${value}`;
}

function joined(headers: readonly string[], name: string): string | undefined {
  let all: string | undefined;
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) all = listed(all, headers[index + 1] as string);
  }
  return all;
}

/** IPv4 clients of a server that listens on IPv6 have a mapped address. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Writes an address for `Forwarded` (RFC 7239). */
function node(peer: string): string {
  return peer.includes(":") ? `"[${peer}]"` : peer;
}

function loop(): RequestError {
  const detail = "The request has passed this proxy before, expected --to to name another server";
  return new RequestError({ status: 508, code: "forwarding-loop", detail });
}
