/** Where a visitor is, as a key. */
import { SpillwayError } from "../../limits/core/index.ts";
import { clientAddress } from "../headers/index.ts";

const find = clientAddress();
const header = () => undefined;

/** No address with a prefix is longer, in characters. */
const LONGEST = 128;

/**
 * An address as a key: IPv6 by its network. Takes what a socket says, and keys that were made already.
 *
 * @throws SpillwayError `bad-key` for what is no address: nobody's address must not be everybody's key
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
