/** Whose request it is, by address: from what can't be forged, and written so that it has one spelling. */
import { badOption, checkWhole, warningsTo, warnOnce } from "../../internal/index.ts";
import type { Warn } from "../../limits/core/index.ts";
import { type Address, addressKey, parseAddress } from "./address.ts";
import { forwarded, forwardedFor } from "./forwarding.ts";
import { type Ranges, rangesOf } from "./ranges.ts";

/**
 * Who is believed to say where a request came from.
 *
 * - Left out: nobody. The address is that of the connection.
 * - A number: so many proxies, each of which adds to `X-Forwarded-For`; all requests come by them.
 * - Ranges, as `["10.0.0.0/8", "2001:db8::/32", "loopback", "private"]`: proxies at these addresses.
 *   `X-Forwarded-For` is read from the right up to the first address that is none of them.
 * - A header and ranges: what proxies at these addresses write into `Forwarded`, which is read from
 *   the right, or into a header with one address, such as `CF-Connecting-IP`.
 */
export type Trust = number | readonly string[] | TrustedHeader;

/** A header that holds the address, and who is believed to write it. */
export type TrustedHeader = { readonly header: string; readonly from: readonly string[] };

/** How an address is found, and written. */
export type ClientAddressOptions = {
  /** Who is believed. Default: nobody. */
  readonly trust?: Trust;
  /** How many bits of an IPv6 address are one client's: 32 to 64. Default: 64. */
  readonly ipv6Prefix?: number;
  /** Where warnings go, each once. Default: the console. */
  readonly warn?: Warn;
};

/** What is needed of a request. */
export type Peer = {
  /** The other end of the connection; undefined for a Unix socket, or where it is not known. */
  readonly address: string | undefined;
  /** A header's value, by its name in lower case. */
  header(name: string): string | undefined;
};

/** Finds the address of a client, as a key; undefined where nothing says it. */
export type ClientAddress = (peer: Peer, ipv6Prefix?: number) => string | undefined;

/** The most proxies that are passed on the way, so that a long header costs no more. */
const MOST_HOPS = 32;

/**
 * Makes a function that returns a client's address, as a key.
 *
 * An entry that is no address ends the search: the last proxy that was believed counts as the client,
 * so that no garbage is a key of its own. IPv6 is masked, IPv4-mapped addresses are IPv4 addresses.
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

/** @throws SpillwayError `bad-option` */
export function checkPrefix(prefix: unknown): void {
  checkWhole("ipv6Prefix", prefix, { least: 32, most: 64 });
}

type Find = (peer: Peer) => Address | undefined;

function finderOf(trust: Trust, warn: Warn): Find {
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

function believed(field: string, texts: readonly string[], warn: Warn): Ranges {
  const ranges = rangesOf(field, texts);
  if (ranges.isEverything) {
    warn(
      `${field} believes every address, so that every client can name its own. Name your proxies, ` +
        "or their number",
    );
  }
  return ranges;
}

/** Requests that are checked: behind a proxy all have such a header. */
const CHECKED = 1000;

/** The connection's own, with a warning where a proxy seems to be in between. */
function connection(warn: Warn | undefined): Find {
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
    `a request has ${name}, which nobody is believed to write: behind a proxy all ` +
    "clients are one. Name your proxies with `trust`; without any, a client has made it up"
  );
}

/** The header, unless a program's own `peer` has read the address from what it says. */
function unbelieved(peer: Peer): string | undefined {
  const name = forwardingHeader((name) => peer.header(name));
  if (name === undefined || peer.address === undefined) return name;
  return peer.header(name.toLowerCase())?.includes(peer.address) ? undefined : name;
}

/** The header of a request by which proxies say where it came from, if it has one. */
export function forwardingHeader(
  header: (name: string) => string | undefined,
): "X-Forwarded-For" | "Forwarded" | undefined {
  if (header("x-forwarded-for") !== undefined) return "X-Forwarded-For";
  return header("forwarded") === undefined ? undefined : "Forwarded";
}

function byHops(hops: number): Find {
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

/** The entries of a header, the last first. */
type Entries = (value: string) => Iterable<string>;

/** Those of `Forwarded`: none of one that is malformed, with a warning for the first. */
function wellFormed(warn: Warn): Entries {
  let isWarned = false;
  return (value) => {
    const entries = forwarded(value);
    if (entries === undefined && !isWarned) {
      isWarned = true;
      warn(
        "a request has a malformed Forwarded, of which nothing is believed: the proxy counts as the " +
          "client. Where all have one the proxy writes it wrongly, else a client has begun it so",
      );
    }
    return entries ?? [];
  };
}

function byRanges(ranges: Ranges, header: string, entriesOf: Entries): Find {
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

function byHeader(ranges: Ranges, header: string): Find {
  return (peer) => {
    const found = addressOf(peer);
    if (found === undefined || !ranges.has(found)) return found;
    return parseAddress(peer.header(header)?.trim() ?? "") ?? found;
  };
}

function addressOf({ address }: Peer): Address | undefined {
  return address === undefined ? undefined : parseAddress(address);
}
