/** `Forwarded` (RFC 7239): whatever a stranger has written before it, it names the client or nobody. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientAddress } from "../../../src/http/headers/index.ts";
import { runs } from "../../runs.ts";

const PROXY = "10.0.0.1";
const CLIENT = "203.0.113.7";

function clientOf(forwarded: string, warn: (message: string) => void = () => {}) {
  const find = clientAddress({ trust: { header: "Forwarded", from: ["10.0.0.0/8"] }, warn });
  return find({ address: PROXY, header: (name) => (name === "forwarded" ? forwarded : undefined) });
}

/** What proxies add of their own, which a stranger's `Host` is part of. */
const ELEMENTS: readonly ((host: string) => string)[] = [
  (host) => `for=${CLIENT};host="${host}"`,
  (host) => `for=${CLIENT};host="${host}";proto=https`,
  (host) => `host="${host}";for=${CLIENT}`,
  (host) => `host="${host}";for="${CLIENT}:4711"`,
  (host) => `for="${CLIENT}:4711";host="${host}";by="[2001:db8::1]:443"`,
  (host) => `by="_edge";host="${host}";for="[::ffff:${CLIENT}]";proto="https"`,
  (host) => `for="${CLIENT}";host="${host}", for=10.0.0.2;host="${host}"`,
];

describe("behind proxies that append to what a stranger has written", () => {
  /** What might be taken for an element, or leave something open. */
  const text = (pieces: readonly string[]) =>
    fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(""));
  const forged = text(['"', "\\", ",", ";", "=", " ", "x", "x=", "for=6.6.6.7", '"6.6.6.7"']);
  const host = text(["a", ",", ";", "=", " ", "x=", "for=6.6.6.7", ",for=6.6.6.7;b=", "[::1]:80"]);
  /** Such a host as well, from a proxy that escapes it. */
  const escaped = text(['"', "\\", ",", ";x=", "for=6.6.6.7"]).map((host) =>
    host.replaceAll(/["\\]/g, "\\$&"),
  );

  test.each(ELEMENTS)("the client or nobody is found: %s", (element) => {
    expect(clientOf(element("example.com"))).toBe(CLIENT);
    fc.assert(
      fc.property(forged, fc.oneof(host, escaped), (forged, host) => {
        expect([CLIENT, PROXY]).toContain(clientOf(`${forged}, ${element(host)}`));
        expect(clientOf(element(host))).toBe(CLIENT);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("a quote left open turns a Host into elements of its own, which are not believed", () => {
    const forged = 'x=", for=203.0.113.7;host="a,for=6.6.6.7;b"';
    expect(clientOf(forged)).toBe(PROXY);
  });
});

describe("an element", () => {
  test.each([
    ["for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"],
    ['For="[2001:db8:cafe::17]:4711"', "2001:db8:cafe:0::/64"],
    ['for=192.0.2.43, for="[2001:db8:cafe::17]"', "2001:db8:cafe:0::/64"],
    ['for=192.0.2.43,for="[2001:db8:cafe::17]"', "2001:db8:cafe:0::/64"],
    ['by=1.1.1.1;host="a,b;for=9.9.9.9";for=192.0.2.43', "192.0.2.43"],
    ['for="\\1\\9\\2.0.2.43"', "192.0.2.43"],
    ['for=192.0.2.43;host="\\"\\\\"', "192.0.2.43"],
    ['for=192.0.2.43;host=""', "192.0.2.43"],
    ['for=192.0.2.43;host="ü\t"', "192.0.2.43"],
    ["for=192.0.2.43 ; proto=http", "192.0.2.43"],
    ["for=1.1.1.1, for=192.0.2.43, for=10.0.0.9", "192.0.2.43"],
    [", ,for=192.0.2.43,, for=10.0.0.9 ,\t,", "192.0.2.43"],
    [";for=192.0.2.43;;", "192.0.2.43"],
  ])("%s is from %s", (forwarded, client) => {
    const warnings: string[] = [];
    expect(clientOf(forwarded, (message) => warnings.push(message))).toBe(client);
    expect(warnings).toEqual([]);
  });

  test.each([
    "",
    ",",
    "proto=https",
    "for=unknown",
    "for=_gazonk",
    'for="_gazonk:_port"',
    'for=""',
    'for="192.0.2.43, for=192.0.2.99"',
    "for=192.0.2.43, proto=https",
    `for="${"\\1".repeat(100)}92.0.2.43"`,
  ])("%s names no address, so that the proxy counts", (forwarded) => {
    const warnings: string[] = [];
    expect(clientOf(forwarded, (message) => warnings.push(message))).toBe(PROXY);
    expect(warnings).toEqual([]);
  });

  /** Nothing but the grammar of RFC 7239, 4. */
  const MALFORMED = [
    'x="',
    'x="\\',
    'x="\\"',
    "x",
    "x=",
    "=x",
    'x=a"b"',
    'x="a"b',
    'x="a""b"',
    '"a"=b',
    "x =b",
    "x= b",
    "x=[::1]",
    "x=1.2.3.4:80",
    "x=a b",
    "x=a\\b",
    'x="\u0000"',
    'x="\\\u0007"',
    "\u00a0x=a",
    "x=ü",
    "for=6.6.6.7;for=6.6.6.8",
    "for=6.6.6.7;FOR=6.6.6.7",
    `x="${"a".repeat(16_384)}"`,
  ];

  test.each(MALFORMED)("%s is malformed, so that nothing beside it is believed", (element) => {
    const wellFormed = `for=${CLIENT}`;
    const headers = [`${element}, ${wellFormed}`, `${wellFormed}, ${element}`, element];
    expect(headers.map((header) => clientOf(header))).toEqual(headers.map(() => PROXY));
    expect(clientOf(`${wellFormed};${element}`)).toBe(PROXY);
  });

  test("is warned of where it is malformed, once", () => {
    const warnings: string[] = [];
    const trust = { header: "Forwarded", from: ["10.0.0.0/8"] };
    const find = clientAddress({ trust, warn: (message) => warnings.push(message) });
    for (const forwarded of ["for=1.2.3.4", 'x="', 'x="', "for=1.2.3.4:80"]) {
      find({ address: PROXY, header: () => forwarded });
    }
    expect(warnings).toEqual([expect.stringContaining("malformed Forwarded")]);
  });
});
