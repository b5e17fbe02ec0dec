/** Ranges of addresses, by which proxies are named: CIDR blocks, and names for common ones. */
import { SpillwayError } from "../../limits/core/index.ts";
import { type IpAddress, parseAddress } from "./address.ts";

/** A block of addresses with a common prefix. */
type AddressBlock = { readonly address: IpAddress; readonly prefix: number };

/** Named blocks: this machine, and networks from which no outsider can send. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  [
    "private",
    ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"],
  ],
]);

/** A set of addresses. */
export type AddressSet = {
  has(address: IpAddress): boolean;
  /** Whether it contains all IPv4 addresses, or all IPv6 addresses. */
  readonly isEverything: boolean;
};

/**
 * Parses blocks such as `"10.0.0.0/8"`, addresses, and the names `"loopback"` and `"private"`.
 * Pure.
 *
 * @throws SpillwayError `bad-option` for any other text
 */
export function rangesOf(field: string, texts: readonly string[]): AddressSet {
  const isList = Array.isArray(texts) && texts.length > 0;
  if (!isList) throw badRange(field, texts);
  const ranges = texts
    .flatMap((text) => NAMED.get(text) ?? [text])
    .map((text) => parseRange(text) ?? badRange(field, text));
  for (const range of ranges) if (range instanceof Error) throw range;
  const known = ranges as readonly AddressBlock[];
  return {
    has: (address) => known.some((range) => contains(range, address)),
    isEverything: known.some(({ prefix }) => prefix === 0),
  };
}

/**
 * Parses a block; undefined if the text is not one. Blocks of IPv4-mapped addresses are IPv4
 * blocks.
 */
function parseRange(text: unknown): AddressBlock | undefined {
  if (typeof text !== "string") return undefined;
  const [, base = "", bits] = /^([^/[]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(base);
  if (address === undefined) return undefined;
  const most = address.words.length * 32;
  const skipped = most === 32 && base.includes(":") ? 96 : 0;
  const prefix = bits === undefined ? most : Number(bits) - skipped;
  return prefix >= 0 && prefix <= most ? { address, prefix } : undefined;
}

function contains({ address, prefix }: AddressBlock, { words }: IpAddress): boolean {
  const base: readonly number[] = address.words;
  if (base.length !== words.length) return false;
  for (let index = 0; index * 32 < prefix; index++) {
    const free = Math.max(0, 32 - (prefix - index * 32));
    if (((base[index] as number) ^ (words[index] as number)) >>> free !== 0) return false;
  }
  return true;
}

function badRange(field: string, value: unknown): SpillwayError {
  return new SpillwayError({
    code: "bad-option",
    field,
    value,
    expected: 'addresses and blocks such as "10.0.0.0/8", "2001:db8::/32", "loopback" or "private"',
  });
}
