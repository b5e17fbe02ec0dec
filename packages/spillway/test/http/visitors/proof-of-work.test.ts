/** Challenges that cost work: right once, here, and now. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ProofOfWork, solve, Visitors } from "../../../src/http/visitors/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const keys = [{ id: "k", secret: "s".repeat(32) }];
const HOME = "203.0.113.7";
const client = { address: HOME };

function work(bits = 8) {
  const clock = manualClock();
  const limiter = new RateLimiter(
    {
      newIds: { kind: "token bucket", rate: 5, period: "1h" },
      proofs: { kind: "token bucket", rate: 3, period: "1h" },
    },
    { store: memoryStore({ clock }) },
  );
  const pow = new ProofOfWork(limiter, { keys, bits, clock });
  return { clock, limiter, pow };
}

test("a solution is right, once", async () => {
  const { pow } = work();
  const solution = await solve(await pow.challenge(HOME));
  expect(await pow.verify(solution, client)).toBe(true);
  expect(await pow.verify(solution, client)).toBe(false);
});

/** As any language can compute it. */
const zeroBits = (solution: string, bits: number) =>
  createHash("sha256").update(solution, "utf8").digest().readUIntBE(0, 5) < 2 ** (40 - bits);

test("a solution is found by SHA-256 over UTF-8, in any alphabet", async () => {
  const { pow } = work();
  expect(zeroBits(await solve(await pow.challenge(HOME)), 8)).toBe(true);
  const challenge = await pow.challenge(HOME);
  let nonce = 0;
  while (!zeroBits(`${challenge}~é😀${nonce}`, 8)) {
    if (nonce < 20) expect(await pow.verify(`${challenge}~é😀${nonce}`, client)).toBe(false);
    nonce++;
  }
  expect(await pow.verify(`${challenge}~é😀${nonce}`, client)).toBe(true);
});

test("two solutions of one challenge are right once, at once", async () => {
  const { pow } = work(1);
  const challenge = await pow.challenge(HOME);
  const solutions = Array.from({ length: 20 }, (_, nonce) => `${challenge}~x${nonce}`);
  const right = await Promise.all(solutions.map((solution) => pow.verify(solution, client)));
  expect(right.filter(Boolean)).toHaveLength(1);
});

test("not from another network, not after its time, not without work, not with less of it", async () => {
  const { pow, clock } = work();
  const challenge = await pow.challenge(HOME);
  const solution = await solve(challenge);
  expect(await pow.verify(solution, { address: "198.51.100.1" })).toBe(false);
  const wrong = Array.from({ length: 50 }, (_, nonce) => `${challenge}~${nonce}`);
  const right = await Promise.all(wrong.map((each) => pow.verify(each, { address: "::1" })));
  expect(right).not.toContain(true);
  const easier = await solve(challenge.replace(".8.", ".1."));
  expect(await pow.verify(easier, client)).toBe(false);
  for (const garbage of ["", "~", "a~b", "k.1.8.x.y~0", "~".repeat(1000)]) {
    expect(await pow.verify(garbage, client)).toBe(false);
  }
  for (const none of [undefined, null, 5, {}, [solution]]) {
    expect(await pow.verify(none as string, client)).toBe(false);
  }
  clock.advance(180_001);
  expect(await pow.verify(solution, client)).toBe(false);
});

test("a solution that is longer than any needs to be is not even hashed", async () => {
  const { pow } = work(1);
  const ask = (padding: string) =>
    pow.challenge(HOME).then((challenge) => pow.verify(`${challenge}~${padding}`, client));
  const verdicts = (padding: string) =>
    Promise.all(Array.from({ length: 40 }, (_, nonce) => ask(padding + nonce)));
  // Each is right with a probability of a half.
  expect(await verdicts("")).toContain(true);
  expect(await verdicts("0".repeat(256))).not.toContain(true);
});

test("a challenge takes two to the power of its bits of tries, more or less", async () => {
  const { pow } = work(10);
  let tries = 0;
  for (let count = 0; count < 20; count++) {
    const solution = await solve(await pow.challenge(HOME));
    tries += Number.parseInt(solution.slice(solution.lastIndexOf("~") + 1), 36);
  }
  // The mean of 20 geometric distributions: outside of these once in a million runs.
  expect(tries / 20).toBeGreaterThan(200);
  expect(tries / 20).toBeLessThan(3000);
});

test("a challenge is no id, and an id no challenge, though one secret signs both", async () => {
  const { pow, limiter, clock } = work();
  const visitors = new Visitors(limiter, { keys, newIds: "newIds", clock });
  const challenge = await pow.challenge(HOME);
  const visitor = await visitors.enter({ cookie: `__Host-visitor=${challenge}`, address: HOME });
  expect(visitor.setCookie).toBeDefined();
  const token = visitor.setCookie?.slice("__Host-visitor=".length).split(";")[0];
  expect(await pow.verify(`${token}~0`, client)).toBe(false);
});

test.each([Date, "now", () => Number.NaN])("the clock %o is refused at once", (clock) => {
  const { limiter } = work();
  const create = () => new ProofOfWork(limiter, { keys, clock: clock as () => number });
  expect(create).toThrow(expect.objectContaining({ code: "bad-clock", field: "clock" }));
});

test("what is no challenge can't be solved", async () => {
  await expect(solve("hello")).rejects.toThrow(SyntaxError);
  await expect(solve("k.1.99.x.y")).rejects.toThrow(SyntaxError);
});

test("with a solution a visitor has an id, and a budget, of their own", async () => {
  const { pow, limiter, clock } = work();
  const visitors = new Visitors(limiter, {
    keys,
    newIds: "newIds",
    proofs: "proofs",
    challenge: pow.verify,
    clock,
  });
  const solution = await solve(await pow.challenge(HOME));
  const visitor = await visitors.prove({ cookie: "", address: HOME, solution });
  expect(visitor).toMatchObject({ proved: true, key: visitor.id });
  const again = await visitors.prove({ cookie: "", address: HOME, solution });
  expect(again.proved).toBe(false);
});
