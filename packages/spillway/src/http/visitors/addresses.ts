/** Writes a visitor's address as a key. */
import { SpillwayError } from "../../limits/core/index.ts";
import { clientAddress } from "../headers/index.ts";

const find = clientAddress();
const header = () => undefined;

/** The longest address with a prefix, in characters. */
const LONGEST = 128;

/**
 * Writes an address as a key: IPv6 by its network. Accepts addresses of sockets, and finished keys.
 *
 * @throws SpillwayError `bad-key` if it is not an address, because an unknown address must not be
 * one key for all
 */
export function networkOf(address: string, ipv6Prefix = 64): string {
  const isShort = typeof address === "string" && address.length <= LONGEST;
  const plain = isShort ? address.replace(/\/\d{1,3}$/, "") : undefined;
  const key = find({ address: plain, header }, ipv6Prefix);
  if (key !== undefined) return key;
  throw new SpillwayError({
    code: "bad-key",
    field: "address",
    value: address,
    isPrivate: true,
    expected: "the address of a client",
    hint: "Behind a proxy, read it by clientAddress of spillway/http, with `trust`",
  });
}
