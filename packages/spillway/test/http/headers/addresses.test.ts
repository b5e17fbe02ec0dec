/** Client addresses: one spelling for each, none for garbage, and none that a client can choose. */
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import {
  type ClientAddressOptions,
  clientAddress,
  type Peer,
} from "../../../src/http/headers/index.ts";
import { runs } from "../../runs.ts";

const quiet = { warn: () => {} };
const own = clientAddress(quiet);
const keyOf = (address: string | undefined) => own({ address, header: () => undefined });

const peer = (address: string | undefined, headers: { readonly [name: string]: string }): Peer => ({
  address,
  header: (name) => headers[name],
});

const find = (options: ClientAddressOptions, ...of: Parameters<typeof peer>) =>
  clientAddress({ ...quiet, ...options })(peer(...of));

/** IPv4-compatible addresses, which the other library takes for mapped ones, by their notation. */
const COMPATIBLE = /^(?:0{1,4}:)*:?:?(?:0{1,4}:)*(?:\d+\.){3}\d+$/;

/** The same by another library: the network's bytes, or undefined. */
function secondOpinion(text: string): string | undefined {
  if (!ipaddr.isValid(text) || (!text.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(text))) {
    return undefined;
  }
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  const bytes = address.toByteArray();
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && bytes[12] !== 0;
  if (address.range() === "rfc6052" || isCompatible) return bytes.slice(12).join(".");
  const [network] = ipaddr.IPv6.parseCIDR(`${address.toNormalizedString().split("%")[0]}/64`);
  return ipaddr.IPv6.networkAddressFromCIDR(
    `${network.toNormalizedString()}/64`,
  ).toNormalizedString();
}

/** Our key of an IPv6 network, spelled as the other library does. */
function normalized(key: string | undefined): string | undefined {
  if (!key?.includes(":")) return key;
  return ipaddr.IPv6.parse(key.slice(0, key.indexOf("/"))).toNormalizedString();
}

const words = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
/** Few ones, many noughts, and the mapped prefix: where spellings differ. */
const groups = fc.oneof(
  words,
  fc.array(fc.constantFrom(0, 0, 0, 1, 0xffff), { minLength: 8, maxLength: 8 }),
  words.map((eight) => [0, 0, 0, 0, 0, 0xffff, ...eight.slice(6)]),
  words.map((eight) => [0, 0, 0, 0, 0, 0, ...eight.slice(6)]),
  words.map((eight) => [0x64, 0xff9b, 0, 0, 0, 0, ...eight.slice(6)]),
);

/** All that one may do to the spelling of an address and leave it the same. */
const spelling = fc.record({
  upper: fc.boolean(),
  padded: fc.boolean(),
  compressed: fc.nat(8),
  dotted: fc.boolean(),
  zone: fc.constantFrom("", "%eth0", "%1"),
  around: fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `[${text}]`,
    (text) => `[${text}]:443`,
    (text) => `[${text}]:_port`,
  ),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer S> ? S : never;

function spelled(eight: readonly number[], how: Spelling): string {
  const texts = eight.map((group) => group.toString(16).padStart(how.padded ? 4 : 1, "0"));
  if (how.dotted) {
    const octets = eight.slice(6).flatMap((group) => [group >> 8, group & 255]);
    texts.splice(6, 2, octets.join("."));
  }
  const text = compressed(texts, how.compressed) + how.zone;
  return how.around(how.upper ? text.toUpperCase() : text);
}

/** With "::" for the noughts from a place on, where there are any. */
function compressed(texts: readonly string[], from: number): string {
  const isNought = (text: string | undefined) => text !== undefined && /^0+$/.test(text);
  let to = from;
  while (isNought(texts[to])) to++;
  if (to === from) return texts.join(":");
  return `${texts.slice(0, from).join(":")}::${texts.slice(to).join(":")}`;
}

describe("spellings", () => {
  test("of one IPv6 address are one key, and the one that another library finds", () => {
    fc.assert(
      fc.property(groups, spelling, spelling, (eight, one, other) => {
        const keys = [spelled(eight, one), spelled(eight, other)].map(keyOf);
        expect(keys[0]).toBeDefined();
        expect(keys[1]).toBe(keys[0]);
        const plain = eight.map((group) => group.toString(16)).join(":");
        expect(normalized(keys[0])).toBe(secondOpinion(plain));
      }),
      { numRuns: runs(5000) },
    );
  });

  test("of two networks are two keys", () => {
    fc.assert(
      fc.property(groups, groups, spelling, spelling, (eight, others, one, other) => {
        const [a, b] = [eight, others].map((each) =>
          each.map((group) => group.toString(16)).join(":"),
        );
        const same = secondOpinion(a as string) === secondOpinion(b as string);
        expect(keyOf(spelled(eight, one)) === keyOf(spelled(others, other))).toBe(same);
      }),
      { numRuns: runs(5000) },
    );
  });

  test("of IPv4, mapped or not, with a port or not, are one key", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(65_535), (address, port) => {
        const octets = address.split(".").map(Number) as [number, number, number, number];
        const hex = octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");
        const all = [
          address,
          `${address}:${port}`,
          `::ffff:${address}`,
          `[::ffff:${address}]:${port}`,
          `0:0:0:0:0:FFFF:${hex.slice(0, 4)}:${hex.slice(4)}`,
          `64:ff9b::${address}`,
          `[64:FF9B::${hex.slice(0, 4)}:${hex.slice(4)}]:${port}`,
        ];
        expect(all.map(keyOf)).toEqual(all.map(() => address));
      }),
    );
  });
});

test("behind a translator, nobody shares a key, and none is believed as IPv4", () => {
  const translated = ["64:ff9b::10.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.2"];
  expect(translated.map(keyOf)).toEqual(["10.0.0.1", "10.0.0.1", "10.0.0.2"]);
  for (const address of translated) {
    const header = { "x-forwarded-for": "203.0.113.9" };
    expect(find({ trust: ["private"] }, address, header)).toBe(keyOf(address));
  }
  expect(["::1", "64:ff9b:1::10.0.0.1"].map(keyOf)).toEqual(["0:0:0:0::/64", "64:ff9b:1:0::/64"]);
});

describe("garbage", () => {
  const strange = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[0-9a-fA-F:.%[\]]{1,45}$/),
    fc.ipV6(),
    fc.ipV4Extended(),
  );

  test("is no key, and never an error; what is one is so for another library", () => {
    fc.assert(
      fc.property(strange, (text) => {
        const key = keyOf(text);
        const isBare = /^[\d.]+$|^[\da-f:.]+$/i.test(text) && !/^[\d.]+:\d+$/.test(text);
        const isCompatible = text.includes(":") && COMPATIBLE.test(text);
        if (isBare && !isCompatible) expect(normalized(key)).toBe(secondOpinion(text));
        if (key !== undefined) expect(key).toMatch(/^(?:\d+\.){3}\d+$|^[\da-f:]+::\/64$/);
      }),
      { numRuns: runs(20_000) },
    );
  });

  test.each([
    ["", " ", "unknown", "_hidden", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4"],
    ["1.2.3.4:", "1.2.3.4:http", "1.2.3.4:123456", " 1.2.3.4", "0x7f.0.0.1", "2130706433"],
    ["::1::", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "12345::", "::g"],
    ["[::1", "::1]", "[]", "[1.2.3.4]", "[::1]443", "[::1]:", "::1%", "1.2.3.4%eth0"],
    ["::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "fe80::1%eth0:80/64", "١.٢.٣.٤", `${"1".repeat(200)}`],
  ])("such as %j", (...texts) => {
    expect(texts.map(keyOf)).toEqual(texts.map(() => undefined));
  });

  test("from a proxy is the proxy's own, so that nobody chooses a key by it", () => {
    fc.assert(
      fc.property(strange, (text) => {
        if (keyOf(text.trim()) !== undefined || text.includes(",")) return;
        const headers = { "x-forwarded-for": `203.0.113.7, ${text}`, forwarded: `for="${text}"` };
        expect(find({ trust: ["10.0.0.1"] }, "10.0.0.1", headers)).toBe("10.0.0.1");
        expect(find({ trust: 1 }, "10.0.0.1", headers)).toBe("10.0.0.1");
        const trust = { header: "CF-Connecting-IP", from: ["10.0.0.1"] };
        expect(find({ trust }, "10.0.0.1", { "cf-connecting-ip": text })).toBe("10.0.0.1");
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("a chain of proxies", () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());

  test("whatever a client writes before it, the entry of the last proxy counts", () => {
    fc.assert(
      fc.property(fc.string(), address, (forged, client) => {
        const header = { "x-forwarded-for": `${forged}, ${client}, 10.0.0.2` };
        const known = keyOf(client);
        expect(find({ trust: 2 }, "10.0.0.1", header)).toBe(known);
        const isProxy = known?.startsWith("10.");
        if (!isProxy) expect(find({ trust: ["10.0.0.0/8"] }, "10.0.0.1", header)).toBe(known);
      }),
    );
  });

  test("a range holds the addresses that it holds for another library", () => {
    fc.assert(
      fc.property(address, address, fc.nat(128), (base, client, bits) => {
        const isIPv4 = !base.includes(":");
        const prefix = isIPv4 ? bits % 33 : bits;
        const [one, other] = [ipaddr.process(base), ipaddr.process(client)];
        // Mapped addresses have tests of their own.
        if (!isIPv4 && one.kind() === "ipv4") return;
        if ([base, client].some((text) => text.includes(":") && text.includes("."))) return;
        const isIn =
          one.kind() === other.kind() && (other as ipaddr.IPv4).match(one as ipaddr.IPv4, prefix);
        const header = { "x-forwarded-for": "192.0.2.99" };
        const found = find({ trust: [`${base}/${prefix}`] }, client, header);
        expect(found).toBe(isIn ? "192.0.2.99" : keyOf(client));
      }),
      { numRuns: runs(5000) },
    );
  });

  test.each([
    ["10.0.0.1", "10.0.0.1"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["10.0.0.0/8", "::ffff:10.2.3.4"],
    ["::ffff:10.0.0.0/104", "10.2.3.4"],
    ["loopback", "::1"],
    ["loopback", "127.0.0.53"],
    ["private", "192.168.1.1"],
    ["private", "fd00::1"],
    ["private", "fe80::1%eth0"],
  ])("%s holds %s", (range, address) => {
    expect(find({ trust: [range] }, address, { "x-forwarded-for": "192.0.2.9" })).toBe("192.0.2.9");
  });

  test.each([
    "10.0.0.0/33",
    "10.0.0/8",
    "::/129",
    "1.2.3.4/",
    "[::1]/8",
    "proxy",
    "10.0.0.0/-1",
    "",
  ])("%s is no range", (range) => {
    expect(() => clientAddress({ trust: [range] })).toThrow("trust is");
  });

  test("is followed for 32 steps, whatever is written: the work is bounded", () => {
    const read: number[] = [];
    const ranges = ["10.0.0.0/8"];
    const long = `203.0.113.7, ${new Array(10_000).fill("10.0.0.1").join(", ")}`;
    const counted = {
      address: "10.0.0.1",
      header: () => {
        read.push(1);
        return long;
      },
    };
    expect(clientAddress({ ...quiet, trust: ranges })(counted)).toBe("10.0.0.1");
    expect(read).toHaveLength(1);
    const trust = { header: "Forwarded", from: ranges };
    const forwarded = new Array(10_000).fill("for=10.0.0.1").join(", ");
    expect(find({ trust }, "10.0.0.1", { forwarded })).toBe("10.0.0.1");
  });
});

test("a Unix socket has no address; so many proxies over it can be believed, addresses can't", () => {
  const header = { "x-forwarded-for": "203.0.113.7" };
  expect(find({}, undefined, {})).toBeUndefined();
  expect(find({ trust: 1 }, undefined, header)).toBe("203.0.113.7");
  expect(find({ trust: ["loopback"] }, undefined, header)).toBeUndefined();
});

test("an IPv6 network is as wide as is said", () => {
  const key = (ipv6Prefix: number) => find({ ipv6Prefix }, "2001:db8:1234:5678:9abc::1", {});
  expect([64, 60, 56, 49, 48, 33, 32].map(key)).toEqual([
    "2001:db8:1234:5678::/64",
    "2001:db8:1234:5670::/60",
    "2001:db8:1234:5600::/56",
    "2001:db8:1234:0::/49",
    "2001:db8:1234::/48",
    "2001:db8:0::/33",
    "2001:db8::/32",
  ]);
  expect(() => key(31)).toThrow("ipv6Prefix is 31");
});
