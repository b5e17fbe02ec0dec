/** Parses IP addresses strictly, so that each has one spelling, and writes them as keys. */

/** An IPv4 address: its 32 bits, and its only spelling. */
type IPv4 = { readonly words: readonly [number]; readonly text: string };

/** An IPv6 address, as words of 32 bits. */
type IPv6 = { readonly words: readonly [number, number, number, number]; readonly text?: never };

/** A parsed address. */
export type IpAddress = IPv4 | IPv6;

/**
 * The longest text that is parsed, in characters. It fits an IPv6 address in brackets with zone and
 * port.
 */
const LONGEST = 100;

/**
 * Parses an address; undefined if the text is not one. Pure.
 *
 * Ports, brackets and zones are accepted and dropped. An IPv4-mapped IPv6 address (`::ffff:0:0/96`,
 * RFC 4291, 2.5.5.2) becomes the IPv4 address, in any spelling. Octets with leading zeros are
 * refused, because some parsers read them as octal.
 */
export function parseAddress(text: string): IpAddress | undefined {
  if (text.length > LONGEST) return undefined;
  const host = withoutPort(text);
  if (host === undefined) return undefined;
  const ipv4 = parseIPv4(host);
  if (ipv4 !== undefined) return { words: [ipv4], text: host };
  return host.includes(":") ? unmapped(parseIPv6(host)) : undefined;
}

/** Digits, or an obfuscated port (RFC 7239, 6.2). */
const PORT = /^:(?:\d{1,5}|_[\w.-]+)$/;

function withoutPort(text: string): string | undefined {
  if (text.startsWith("[")) {
    const end = text.indexOf("]");
    const port = text.slice(end + 1);
    const host = text.slice(1, Math.max(1, end));
    return host.includes(":") && (port === "" || PORT.test(port)) ? host : undefined;
  }
  const colon = text.indexOf(":");
  if (colon < 0 || text.indexOf(":", colon + 1) >= 0) return text;
  return PORT.test(text.slice(colon)) ? text.slice(0, colon) : undefined;
}

const ZERO = 48;
const NINE = 57;
const DOT = 46;

/**
 * Parses four decimal octets as one word. Runs for each request, so it uses no expression and no
 * array.
 */
function parseIPv4(text: string): number | undefined {
  let word = 0;
  let dots = 0;
  let octet = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === DOT) {
      if (octet < 0 || ++dots > 3) return undefined;
      word = word * 256 + octet;
      octet = -1;
    } else {
      if (code < ZERO || code > NINE || octet === 0) return undefined;
      octet = Math.max(octet, 0) * 10 + code - ZERO;
      if (octet > 255) return undefined;
    }
  }
  return dots === 3 && octet >= 0 ? word * 256 + octet : undefined;
}

const GROUPS = 8;

/** The network interface of a link-local address (RFC 4007, 11). */
const ZONE = /%[\w.~-]+$/;

function parseIPv6(text: string): readonly number[] | undefined {
  const halves = text.replace(ZONE, "").split("::");
  if (halves.length > 2) return undefined;
  const isWhole = halves.length === 1;
  const head = groupsOf(halves[0] as string, { isLast: isWhole });
  const tail = groupsOf(halves[1] ?? "", { isLast: true });
  if (head === undefined || tail === undefined) return undefined;
  const missing = GROUPS - head.length - tail.length;
  // "::" stands for one group or more.
  if (isWhole ? missing !== 0 : missing < 1) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

const GROUP = /^[\da-f]{1,4}$/i;

/**
 * Parses the groups of 16 bits in a part of an address. The last two of all may be written as IPv4.
 */
function groupsOf(
  part: string,
  { isLast }: { readonly isLast: boolean },
): readonly number[] | undefined {
  if (part === "") return [];
  const groups: number[] = [];
  const texts = part.split(":");
  for (const [index, text] of texts.entries()) {
    const ipv4 = isLast && index === texts.length - 1 ? parseIPv4(text) : undefined;
    if (ipv4 !== undefined) groups.push(ipv4 >>> 16, ipv4 & 0xffff);
    else if (GROUP.test(text)) groups.push(Number.parseInt(text, 16));
    else return undefined;
  }
  return groups;
}

function unmapped(groups: readonly number[] | undefined): IpAddress | undefined {
  if (groups === undefined) return undefined;
  const word = (first: number) =>
    (groups[first] as number) * 0x10000 + (groups[first + 1] as number);
  const words = [word(0), word(2), word(4), word(6)] as const;
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return isMapped ? { words: [words[3]], text: dotted(words[3]) } : { words };
}

/**
 * Writes an address as a key: IPv4 as it is, IPv6 as its network of `prefix` bits, from 32 to 64.
 * Pure.
 *
 * A customer mostly receives a /64 and can use any address in it. Behind a translator, however, all
 * of IPv4 fits into one /64. The key of a translated address is the IPv4 address.
 */
export function addressKey({ words, text }: IpAddress, prefix: number): string {
  if (text !== undefined) return text;
  if (isTranslated(words)) return dotted(words[3]);
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  const kept = groups.slice(0, Math.ceil(prefix / 16));
  const extra = kept.length * 16 - prefix;
  const last = kept.length - 1;
  kept[last] = ((kept[last] as number) >>> extra) << extra;
  return `${kept.map((group) => group.toString(16)).join(":")}::/${prefix}`;
}

/**
 * Whether an IPv6 address stands for an IPv4 address.
 *
 * True for `64:ff9b::/96` (NAT64; RFC 6052, 2.1), and for `::/96` above `::ff:ffff`
 * (IPv4-compatible; RFC 4291, 2.5.5.1). So `::1` does not.
 */
function isTranslated([first, second, third, last]: IPv6["words"]): boolean {
  if (second !== 0 || third !== 0) return false;
  return first === 0x64ff9b || (first === 0 && last > 0xffffff);
}

function dotted(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}
