/** Finds the address of a client from sources that can't be forged, in a single spelling. */
import { badOption, checkWhole, warningsTo, warnOnce } from "../../internal/index.ts";
import type { Warn } from "../../limits/core/index.ts";
import { addressKey, type IpAddress, parseAddress } from "./address.ts";
import { forwarded, forwardedFor } from "./forwarding.ts";
import { type AddressSet, rangesOf } from "./ranges.ts";

/**
 * The proxies that are trusted to report where a request came from.
 *
 * - Left out: none. The address is that of the connection.
 * - A number: this many proxies, each of which appends to `X-Forwarded-For`. All requests pass
 *   through them.
 * - Ranges, such as `["10.0.0.0/8", "2001:db8::/32", "loopback", "private"]`: proxies with these
 *   addresses. `X-Forwarded-For` is read from the right, up to the first address outside them.
 * - A header and ranges: the header that proxies with these addresses write. It is `Forwarded`,
 *   which is read from the right, or has one address, such as `CF-Connecting-IP`.
 */
export type Trust = number | readonly string[] | TrustedHeader;

/** A header that contains the address, and the proxies that are trusted to write it. */
export type TrustedHeader = { readonly header: string; readonly from: readonly string[] };

/** How an address is found and written. */
export type ClientAddressOptions = {
  /** The trusted proxies. Default: none. */
  readonly trust?: Trust;
  /** How many bits of an IPv6 address identify one client: 32 to 64. Default: 64. */
  readonly ipv6Prefix?: number;
  /** Receives each warning once. Default: the console. */
  readonly warn?: Warn;
};

/** The used part of a request. */
export type Peer = {
  /** The peer address of the connection; undefined for a Unix socket, or if it is unknown. */
  readonly address: string | undefined;
  /** Returns a header's value. `name` is in lower case. */
  header(name: string): string | undefined;
};

/** Returns the address of a client as a key; undefined if it is unknown. */
export type ClientAddress = (peer: Peer, ipv6Prefix?: number) => string | undefined;

/** The maximum number of proxies on the way. The bound keeps long headers cheap. */
const MOST_HOPS = 32;

/**
 * Returns a function that finds a client's address and writes it as a key.
 *
 * An entry that is not an address ends the search: the last trusted proxy counts as the client. So
 * garbage never becomes a key of its own. IPv6 addresses are masked; IPv4-mapped ones are IPv4
 * addresses.
 *
 * @throws SpillwayError `bad-option`
 */
export function clientAddress(options: ClientAddressOptions = {}): ClientAddress {
  const { trust, ipv6Prefix = 64, warn } = options;
  checkPrefix(ipv6Prefix);
  const find = trust === undefined ? connection(warn) : finderOf(trust, warningsTo(warn));
  return (peer, prefix = ipv6Prefix) => {
    const address = find(peer);
    return address && addressKey(address, prefix);
  };
}

/** Checks a prefix of IPv6: a whole number from 32 to 64. @throws SpillwayError `bad-option` */
export function checkPrefix(prefix: unknown): void {
  checkWhole("ipv6Prefix", prefix, { least: 32, most: 64 });
}

type AddressFinder = (peer: Peer) => IpAddress | undefined;

function finderOf(trust: Trust, warn: Warn): AddressFinder {
  if (typeof trust === "number") return byHops(trust);
  if (Array.isArray(trust)) {
    return byRanges(believed("trust", trust, warn), "x-forwarded-for", forwardedFor);
  }
  const { header, from } = (trust as Partial<TrustedHeader> | null) ?? {};
  if (typeof header !== "string" || header === "" || from === undefined) {
    const expected = 'a number of proxies, their addresses, or { header: "Forwarded", from: [] }';
    throw badOption("trust", trust, expected);
  }
  const ranges = believed("trust.from", from, warn);
  const name = header.toLowerCase();
  if (name === "forwarded") return byRanges(ranges, name, wellFormed(warn));
  return name === "x-forwarded-for" ? byRanges(ranges, name, forwardedFor) : byHeader(ranges, name);
}

function believed(field: string, texts: readonly string[], warn: Warn): AddressSet {
  const ranges = rangesOf(field, texts);
  if (ranges.isEverything) {
    warn(
      `${field} trusts every address, so any client can forge its own. Name the addresses of ` +
        "your proxies, or their number",
    );
  }
  return ranges;
}

/** The number of requests that are checked. Behind a proxy, every request has such a header. */
const CHECKED = 1000;

/** Uses the address of the connection. Warns if there seems to be a proxy. */
function connection(warn: Warn | undefined): AddressFinder {
  let left = CHECKED;
  return (peer) => {
    if (left > 0) {
      const name = unbelieved(peer);
      left = name === undefined ? left - 1 : 0;
      if (name !== undefined)
        warnOnce({ subject: "unbelieved header", message: behind(name) }, warn);
    }
    return addressOf(peer);
  };
}

function behind(name: string): string {
  return (
    `a request has ${name}, but no proxy is trusted: behind a proxy, all clients share one ` +
    "address. Name your proxies with `trust`; without a proxy, the client forged the header"
  );
}

/**
 * Returns the name of an untrusted header. Undefined if the program's own `peer` seems to read it.
 */
function unbelieved(peer: Peer): string | undefined {
  const name = forwardingHeader((name) => peer.header(name));
  if (name === undefined || peer.address === undefined) return name;
  return peer.header(name.toLowerCase())?.includes(peer.address) ? undefined : name;
}

/** Returns the header by which proxies report the client; undefined if the request has none. */
export function forwardingHeader(
  header: (name: string) => string | undefined,
): "X-Forwarded-For" | "Forwarded" | undefined {
  if (header("x-forwarded-for") !== undefined) return "X-Forwarded-For";
  return header("forwarded") === undefined ? undefined : "Forwarded";
}

function byHops(hops: number): AddressFinder {
  checkWhole("trust", hops, { least: 1, most: MOST_HOPS });
  return (peer) => {
    let found = addressOf(peer);
    let left = hops;
    for (const entry of forwardedFor(peer.header("x-forwarded-for") ?? "")) {
      const address = left-- > 0 ? parseAddress(entry) : undefined;
      if (address === undefined) break;
      found = address;
    }
    return found;
  };
}

/** Yields the entries of a header, the last one first. */
type Entries = (value: string) => Iterable<string>;

/** Reads `Forwarded`. A malformed header has no entries; the first one causes a warning. */
function wellFormed(warn: Warn): Entries {
  let isWarned = false;
  return (value) => {
    const entries = forwarded(value);
    if (entries === undefined && !isWarned) {
      isWarned = true;
      warn(
        "a request has a malformed Forwarded header, which is ignored: the proxy counts as the " +
          "client. If all requests have one, correct the proxy; otherwise their clients forged it",
      );
    }
    return entries ?? [];
  };
}

function byRanges(ranges: AddressSet, header: string, entriesOf: Entries): AddressFinder {
  return (peer) => {
    let found = addressOf(peer);
    if (found === undefined || !ranges.has(found)) return found;
    let left = MOST_HOPS;
    for (const entry of entriesOf(peer.header(header) ?? "")) {
      const address = left-- > 0 ? parseAddress(entry) : undefined;
      if (address === undefined) break;
      found = address;
      if (!ranges.has(found)) break;
    }
    return found;
  };
}

function byHeader(ranges: AddressSet, header: string): AddressFinder {
  return (peer) => {
    const found = addressOf(peer);
    if (found === undefined || !ranges.has(found)) return found;
    return parseAddress(peer.header(header)?.trim() ?? "") ?? found;
  };
}

function addressOf({ address }: Peer): IpAddress | undefined {
  return address === undefined ? undefined : parseAddress(address);
}
