import { HERE, type Row } from "../row.ts";

const none = { partitionKey: false } as const;
const LOCAL = ["loopback"];

type Headers = { readonly [name: string]: string };

/** A request with headers, by a proxy here: whose budget it counts against. */
const counts = (
  situation: string,
  trust: NonNullable<ReturnType<Row["route"]> & { trust?: unknown }>["trust"],
  headers: Headers,
  key: string,
): Row => ({
  situation,
  route: () => ({ ...none, limit: "search", trust: trust as never }),
  steps: [{ headers, gets: { status: 200 } }],
  left: [["search", key, 2]],
});

/** Whose request it is. */
export const addresses: readonly Row[] = [
  {
    situation: "X-Forwarded-For from nobody who is believed",
    route: () => ({ ...none, limit: "search" }),
    steps: [
      { headers: { "x-forwarded-for": "203.0.113.7" }, gets: { status: 200 } },
      { headers: { "x-forwarded-for": "203.0.113.8" }, gets: { status: 200 } },
    ],
    left: [
      ["search", HERE, 1],
      ["search", "203.0.113.7", 3],
    ],
    warnings: ["X-Forwarded-For"],
  },
  {
    situation: "Forwarded from nobody who is believed",
    route: () => ({ ...none, limit: "search" }),
    steps: [
      { headers: { forwarded: "for=203.0.113.7" }, gets: { status: 200 } },
      { headers: { forwarded: "for=203.0.113.7" }, gets: { status: 200 } },
    ],
    left: [["search", HERE, 1]],
    warnings: ["a request has Forwarded"],
  },
  {
    situation: "a header of proxies, with a key that needs no address",
    route: () => ({ ...none, limit: "search", key: "all" }),
    steps: [{ headers: { "x-forwarded-for": "203.0.113.7" }, gets: { status: 200 } }],
  },
  {
    situation: "a key of the connection's address, behind a proxy",
    route: () => ({ ...none, limit: "search", key: ["ip", () => HERE] }),
    steps: [
      { gets: { status: 200 } },
      { headers: { forwarded: "for=203.0.113.7" }, gets: { status: 200 } },
      { headers: { "x-forwarded-for": "203.0.113.7" }, gets: { status: 200 } },
    ],
    left: [["search", `ip|${HERE}`, 0]],
    warnings: ["the address of the connection, and the request has Forwarded"],
  },
  {
    situation: "a key of the client's address, behind a proxy that is believed",
    route: () => ({
      ...none,
      limit: "search",
      trust: LOCAL,
      key: (_, { address }) => address,
    }),
    steps: [{ headers: { "x-forwarded-for": "unknown" }, gets: { status: 200 } }],
    left: [["search", HERE, 2]],
  },
  {
    situation: "a key that is a whole IPv6 address",
    route: () => ({ ...none, limit: "search", key: () => "2001:db8::7" }),
    steps: [{ gets: { status: 200 } }, { gets: { status: 200 } }],
    left: [["search", "2001:db8::7", 1]],
    warnings: ["2^64"],
  },
  {
    situation: "a key that is a network, and one that spells an IPv4 address as IPv6 does",
    route: () => ({ ...none, limit: "search", key: ["2001:db8::/64", () => "::ffff:192.0.2.1"] }),
    steps: [{ gets: { status: 200 } }],
    left: [["search", "2001:db8::/64|::ffff:192.0.2.1", 2]],
  },
  counts(
    "one proxy, and a forged entry",
    1,
    { "x-forwarded-for": "1.1.1.1, 203.0.113.7" },
    "203.0.113.7",
  ),
  counts("two proxies", 2, { "x-forwarded-for": "1.1.1.1, 203.0.113.7, 10.0.0.1" }, "203.0.113.7"),
  counts(
    "proxies by their addresses",
    [...LOCAL, "private"],
    { "x-forwarded-for": "1.1.1.1, 203.0.113.7, 10.0.0.1" },
    "203.0.113.7",
  ),
  counts("a proxy that is not believed", ["192.0.2.1"], { "x-forwarded-for": "203.0.113.7" }, HERE),
  counts("an entry that is no address", LOCAL, { "x-forwarded-for": "203.0.113.7, unknown" }, HERE),
  counts("no header from a proxy that is believed", LOCAL, {}, HERE),
  counts(
    "an IPv6 client",
    LOCAL,
    { "x-forwarded-for": "2001:DB8:0:7:1234::1" },
    "2001:db8:0:7::/64",
  ),
  counts(
    "an IPv4 client as IPv6 spells it",
    LOCAL,
    { "x-forwarded-for": "[::FFFF:cb00:7107]:4711" },
    "203.0.113.7",
  ),
  counts(
    "Forwarded",
    { header: "Forwarded", from: LOCAL },
    { forwarded: 'for=1.1.1.1, for="[2001:db8::7]:80";proto=https' },
    "2001:db8:0:0::/64",
  ),
  {
    situation: "a Forwarded in which a stranger has left a quote open, before what the proxy says",
    route: () => ({ ...none, limit: "search", trust: { header: "Forwarded", from: LOCAL } }),
    steps: [6, 7, 8].map((last) => ({
      headers: { forwarded: `x=", for=203.0.113.7;host="a,for=6.6.6.${last};b"` },
      gets: { status: 200 },
    })),
    left: [
      ["search", HERE, 0],
      ["search", "6.6.6.7", 3],
    ],
    warnings: ["malformed Forwarded"],
  },
  counts(
    "CF-Connecting-IP",
    { header: "CF-Connecting-IP", from: LOCAL },
    { "cf-connecting-ip": "203.0.113.7", "x-forwarded-for": "1.1.1.1" },
    "203.0.113.7",
  ),
  counts(
    "CF-Connecting-IP from somewhere else",
    { header: "CF-Connecting-IP", from: ["192.0.2.0/24"] },
    { "cf-connecting-ip": "203.0.113.7" },
    HERE,
  ),
  {
    situation: "everybody is believed",
    route: () => ({ ...none, limit: "search", trust: ["0.0.0.0/0", "::/0"] }),
    steps: [{ gets: { status: 200 } }],
    warnings: ["every address"],
  },
  {
    situation: "two addresses of one IPv6 network, and a coarser limit",
    route: () => ({
      ...none,
      trust: LOCAL,
      limits: [{ limit: "search" }, { limit: "daily", key: (_, { network }) => network(48) }],
    }),
    steps: [
      { headers: { "x-forwarded-for": "2001:db8:1:1::1" }, gets: { status: 200 } },
      { headers: { "x-forwarded-for": "2001:db8:1:1::2" }, gets: { status: 200 } },
      { headers: { "x-forwarded-for": "2001:db8:1:2::1" }, gets: { status: 429 } },
    ],
    left: [
      ["search", "2001:db8:1:1::/64", 1],
      ["search", "2001:db8:1:2::/64", 3],
      ["daily", "2001:db8:1::/48", 0],
    ],
  },
  {
    situation: "a coarser mask",
    route: () => ({ ...none, limit: "search", trust: LOCAL, ipv6Prefix: 56 }),
    steps: [{ headers: { "x-forwarded-for": "2001:db8:1:1234::1" }, gets: { status: 200 } }],
    left: [["search", "2001:db8:1:1200::/56", 2]],
  },
  {
    situation: "an address that a function tells, as of the PROXY protocol",
    route: () => ({ ...none, limit: "search", peer: () => "203.0.113.7" }),
    steps: [{ gets: { status: 200 } }],
    left: [["search", "203.0.113.7", 2]],
  },
  {
    situation: "an address that a function tells, as a header of a proxy has it",
    route: () => ({ ...none, limit: "search", peer: () => "203.0.113.7" }),
    steps: [{ headers: { "x-forwarded-for": "203.0.113.7, 10.0.0.1" }, gets: { status: 200 } }],
    left: [["search", "203.0.113.7", 2]],
  },
  {
    situation: "no address at all, which must not be everybody's key",
    route: () => ({ ...none, limit: "search", peer: () => undefined }),
    steps: [{ gets: { status: 500 } }],
    events: [{ type: "failed", field: "key" }],
  },
];
