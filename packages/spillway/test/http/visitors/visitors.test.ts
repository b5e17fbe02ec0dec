/** Ids that nobody can make, and nobody gains by losing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCookie } from "../../../src/http/visitors/cookies.ts";
import { type Visitor, Visitors, type VisitorsOptions } from "../../../src/http/visitors/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Limits } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";

const LIMITS = {
  newIds: { kind: "token bucket", rate: 5, period: "1h" },
  proofs: { kind: "token bucket", rate: 3, period: "1h" },
  networks: { kind: "token bucket", rate: 20, period: "1h" },
  search: { kind: "token bucket", rate: 10, period: "1h" },
} as const;

const NEW = { id: "new", secret: "n".repeat(32) };
const OLD = { id: "old", secret: "o".repeat(32) };
const HOME = "203.0.113.7";

type Options = Partial<VisitorsOptions<typeof LIMITS>>;

function site(options: Options = {}) {
  const clock = manualClock();
  const limiter = new RateLimiter(LIMITS, { store: memoryStore({ clock }) });
  const visitors = new Visitors(limiter, {
    keys: [NEW],
    newIds: "newIds",
    proofs: "proofs",
    challenge: (solution) => solution === "right",
    clock,
    ...options,
  });
  return { clock, limiter, visitors };
}

/** What a browser sends back. */
function cookieOf({ setCookie }: Visitor): string {
  return setCookie?.split(";")[0] ?? "";
}

test("a first visit sets a cookie that scripts, other sites and other hosts can't use", async () => {
  const { visitors } = site();
  const { setCookie } = await visitors.enter({ cookie: undefined, address: HOME });
  expect(setCookie).toMatch(
    /^__Host-visitor=new\.[\da-z]+\.a\.[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test("whoever comes back is known, and is given nothing new", async () => {
  const { visitors, limiter } = site();
  const first = await visitors.enter({ cookie: null, address: HOME });
  const cookie = `theme=dark; ${cookieOf(first)}; other="a=b"`;
  const again = await visitors.enter({ cookie, address: HOME });
  expect(again).toEqual({ ...first, setCookie: undefined });
  expect(limiter.value("newIds", { key: HOME }).remaining).toBe(4);
});

test("a stranger with a thousand cookies gets no more than one", async () => {
  const { visitors, limiter } = site();
  const cookies = new Set<string>();
  let admitted = 0;
  for (let count = 0; count < 1000; count++) {
    const visitor = await visitors.enter({ cookie: undefined, address: HOME });
    if (visitor.setCookie !== undefined) cookies.add(cookieOf(visitor));
    if (limiter.limit("search", { key: visitor.key }).ok) admitted++;
  }
  expect(cookies.size).toBe(5);
  for (const cookie of cookies) {
    const visitor = await visitors.enter({ cookie, address: HOME });
    if (limiter.limit("search", { key: visitor.key }).ok) admitted++;
  }
  expect(admitted).toBe(10);
});

test("who has no id left is a visitor all the same, by address, and learns when there is one", async () => {
  const { visitors, clock } = site();
  for (let count = 0; count < 5; count++) await visitors.enter({ cookie: "", address: HOME });
  const visitor = await visitors.enter({ cookie: "", address: HOME });
  expect(visitor).toMatchObject({ id: undefined, key: HOME, setCookie: undefined });
  expect(visitor.refused).toMatchObject({ limit: "newIds", retryAfter: 720_000 });
  clock.advance(720_000);
  expect((await visitors.enter({ cookie: "", address: HOME })).id).toBeDefined();
});

test("an id without proof is worth nothing at another address, one with proof is", async () => {
  const { visitors } = site();
  const plain = cookieOf(await visitors.enter({ cookie: "", address: HOME }));
  const moved = await visitors.enter({ cookie: plain, address: "198.51.100.1" });
  expect(moved.setCookie).toBeDefined();
  const proved = await visitors.prove({ cookie: plain, address: HOME, solution: "right" });
  expect(proved).toMatchObject({ proved: true, key: proved.id });
  const elsewhere = await visitors.enter({ cookie: cookieOf(proved), address: "198.51.100.1" });
  expect(elsewhere).toMatchObject({ id: proved.id, key: proved.id, setCookie: undefined });
});

test("a wrong solution costs nothing, right ones cost a unit each, and who has an id keeps it", async () => {
  const { visitors, limiter } = site();
  const prove = (solution: string, cookie = "") =>
    visitors.prove({ cookie, address: HOME, solution });
  for (let count = 0; count < 10; count++) expect((await prove("wrong")).proved).toBe(false);
  const first = await prove("right");
  const again = await prove("right", cookieOf(first));
  expect(again.id).toBe(first.id);
  expect(limiter.value("proofs", { key: HOME }).remaining).toBe(2);
  const ids = new Set([first.id]);
  for (let count = 0; count < 10; count++) ids.add((await prove("right")).id);
  ids.delete(undefined);
  expect(ids.size).toBe(3);
  expect((await prove("right")).refused).toMatchObject({ limit: "proofs" });
});

test.each<[unknown]>([[undefined], [null], [5], [{}], [{ toString: 0 }], [["right"]]])(
  "%j is no solution, and no challenge receives it",
  async (solution) => {
    const received: unknown[] = [];
    const limiter = new RateLimiter({ ids: { kind: "token bucket", rate: 5, period: "1h" } });
    const challenge = (solution: string) => received.push(solution) > 0;
    const names = { newIds: "ids", proofs: "ids" } as const;
    const visitors = new Visitors(limiter, { keys: [NEW], ...names, challenge });
    const request = { cookie: null, address: HOME, solution: solution as string };
    expect((await visitors.prove(request)).proved).toBe(false);
    expect(received).toEqual([]);
  },
);

test("addresses of one /64 are one visitor's, however they are spelled; a larger network has a limit", async () => {
  const { visitors } = site({ network: { limit: "networks", ipv6Prefix: 48 } });
  const { setCookie, address } = await visitors.enter({ cookie: "", address: "2001:db8:1:2::1" });
  const cookie = setCookie?.split(";")[0];
  for (const same of ["2001:DB8:1:2:ffff::9", "[2001:db8:1:2::7]:443", address]) {
    expect((await visitors.enter({ cookie, address: same })).setCookie).toBeUndefined();
  }
  let issued = 1;
  for (let subnet = 3; subnet < 103; subnet++) {
    const visitor = await visitors.enter({ cookie: "", address: `2001:db8:1:${subnet}::1` });
    if (visitor.id !== undefined) issued++;
  }
  expect(issued).toBe(20);
});

test("whatever is changed in an id, it is nobody's", async () => {
  const { visitors, limiter } = site();
  const cookie = cookieOf(await visitors.enter({ cookie: "", address: HOME }));
  const proved = cookieOf(await visitors.prove({ cookie: "", address: HOME, solution: "right" }));
  const start = "__Host-visitor=".length;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(cookie, proved),
      fc.nat(200),
      fc.constantFrom(..."aAbz09-_.~ é\n"),
      async (whole, index, character) => {
        // The last character of a code has bits that mean nothing.
        const at = start + (index % (whole.length - start - 1));
        fc.pre(whole[at] !== character);
        const changed = whole.slice(0, at) + character + whole.slice(at + 1);
        limiter.reset("newIds", { key: HOME });
        const visitor = await visitors.enter({ cookie: changed, address: HOME });
        expect(visitor.proved).toBe(false);
        expect(visitor.setCookie).toBeDefined();
      },
    ),
    { numRuns: runs(100) },
  );
});

test.each([
  ["nothing", "__Host-visitor="],
  ["an unknown key", `__Host-visitor=other.abc.a.${"a".repeat(22)}.${"a".repeat(43)}`],
  ["a megabyte", `__Host-visitor=${"a.".repeat(500_000)}`],
  ["many cookies", `${"a=b; ".repeat(10_000)}__Host-visitors=1`],
  ["no text", 5 as unknown as string],
  ["another case of the name", "__host-visitor=x"],
])("%s in the cookie is a first visit", async (_, cookie) => {
  const { visitors } = site();
  expect((await visitors.enter({ cookie, address: HOME })).setCookie).toBeDefined();
});

test("the cookie is found wherever it is among others", () => {
  const pieces = fc.constantFrom("a=", "aa=", "b", "=", ";", " ", '"', "1");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const header = parts.join("");
      const pairs = header.split(";").map((pair) => pair.trim());
      const found = pairs.find((pair) => pair.startsWith("a="))?.slice(2);
      expect(readCookie(header, "a")).toBe(found);
    }),
    { numRuns: runs(2000) },
  );
});

describe("keys", () => {
  test("an old one verifies until its end, the first signs", async () => {
    const before = site({ keys: [OLD] });
    const cookie = cookieOf(await before.visitors.enter({ cookie: "", address: HOME }));
    const end = before.clock() + 3_600_000;
    const { visitors, clock } = site({ keys: [NEW, { ...OLD, until: end }] });
    const visitor = await visitors.enter({ cookie, address: HOME });
    expect(visitor.setCookie).toBeUndefined();
    clock.set(end);
    expect((await visitors.enter({ cookie, address: HOME })).id).toBe(visitor.id);
    clock.advance(1);
    const after = await visitors.enter({ cookie, address: HOME });
    expect(after.setCookie).toMatch(/^__Host-visitor=new\./);
  });

  test("they may change while it runs; a key of the same name and another secret verifies nothing", async () => {
    let keys = [OLD];
    const { visitors } = site({ keys: () => keys });
    const cookie = cookieOf(await visitors.enter({ cookie: "", address: HOME }));
    keys = [NEW, OLD];
    expect((await visitors.enter({ cookie, address: HOME })).setCookie).toBeUndefined();
    keys = [{ ...OLD, secret: "p".repeat(32) }];
    expect((await visitors.enter({ cookie, address: HOME })).setCookie).toMatch(/=old\./);
    keys = [];
    const none = visitors.enter({ cookie, address: HOME });
    await expect(none).rejects.toMatchObject({ code: "bad-option", field: "keys" });
  });

  test("a secret is in no message", () => {
    const make = () => site({ keys: [{ id: "a", secret: "short secret" }] });
    expect(make).toThrow(/12 bytes/);
    expect(make).not.toThrow(/short secret/);
  });
});

test("an id holds for its time, give or take what clocks differ by", async () => {
  const { visitors, clock } = site({ maxAge: "1h", skew: 60_000 });
  const cookie = cookieOf(await visitors.enter({ cookie: "", address: HOME }));
  const isKnown = async () =>
    (await visitors.enter({ cookie, address: HOME })).setCookie === undefined;
  clock.advance(-60_000);
  expect(await isKnown()).toBe(true);
  clock.advance(-1000);
  expect(await isKnown()).toBe(false);
  clock.advance(61_000 + 3_660_000);
  expect(await isKnown()).toBe(true);
  clock.advance(1);
  expect(await isKnown()).toBe(false);
});

test.each(["", "unknown", "1.2.3", "::1::"])(
  "%j is no address: nobody's must not be everybody's",
  async (address) => {
    const { visitors } = site();
    const visitor = visitors.enter({ cookie: "", address });
    await expect(visitor).rejects.toMatchObject({ code: "bad-key", field: "address" });
  },
);

test.each<[string, string, object]>([
  ["bad-clock", "clock", { clock: () => 0.5 }],
  ["bad-option", "keys", { keys: [] }],
  ["bad-option", "keys", { keys: "secret" }],
  ["bad-option", "keys.id", { keys: [{ ...NEW, id: "a.b" }] }],
  ["bad-option", "keys.id", { keys: [NEW, { ...NEW, secret: "x".repeat(32) }] }],
  ["bad-option", "keys.until", { keys: [{ ...NEW, until: "tomorrow" }] }],
  ["bad-option", "keys.secret", { keys: [{ id: "a", secret: 5 }] }],
  ["unknown-limit", "newIds", { newIds: "newId" }],
  ["unknown-limit", "proofs", { proofs: undefined, challenge: () => true }],
  ["unknown-limit", "network.limit", { network: { limit: "none", ipv6Prefix: 48 } }],
  ["bad-option", "network.ipv6Prefix", { network: { limit: "newIds", ipv6Prefix: 128 } }],
  ["bad-option", "challenge", { challenge: "captcha" }],
  ["bad-option", "maxAge", { maxAge: 10 }],
  ["bad-option", "skew", { skew: -1 }],
  ["bad-option", "name", { cookie: { name: "a b" } }],
  ["bad-option", "sameSite", { cookie: { sameSite: "lax" } }],
  ["bad-option", "secure", { cookie: { sameSite: "None", secure: false } }],
  ["bad-option", "secure", { cookie: { name: "__Host-id", secure: false } }],
  ["unknown-field", "key", { key: NEW }],
])("%s of %s: %j", (code, field, options) => {
  expect(() => site(options as Options)).toThrow(expect.objectContaining({ code, field }));
});

test("a limit of leases gives no ids", () => {
  const limits: Limits = { newIds: { kind: "concurrency", capacity: 1, ttl: "1m" } };
  const make = () => new Visitors(new RateLimiter(limits), { keys: [NEW], newIds: "newIds" });
  expect(make).toThrow(expect.objectContaining({ code: "wrong-kind" }));
});
