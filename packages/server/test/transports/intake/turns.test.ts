/** How much is decided in one turn of the event loop, and in which order. */
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageScheduler, RoundRobinQueue } from "../../../src/transports/intake/index.ts";

const KIB = 1024;
const item = fc.record({ owner: fc.nat({ max: 4 }), id: fc.uuid() });
const OWNERS = Array.from({ length: 5 }, (_, owner) => ({ owner }));
const ownerOf = (owner: number) => OWNERS[owner] as object;

function drained<T>(rounds: RoundRobinQueue<T>): T[] {
  const all: T[] = [];
  for (let next = rounds.next(); next !== undefined; next = rounds.next()) all.push(next);
  return all;
}

describe("rounds", () => {
  it("have all owners take turns, and keep the order of each", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), (items) => {
        const rounds = new RoundRobinQueue<(typeof items)[number]>();
        for (const each of items) rounds.add(ownerOf(each.owner), each);
        const order = drained(rounds);
        expect(rounds.isEmpty).toBe(true);
        for (const { owner } of items) {
          const ofOwner = (all: typeof items) => all.filter((one) => one.owner === owner);
          expect(ofOwner(order)).toEqual(ofOwner(items));
        }
        // Between two of one owner's there is at most one of each other's.
        for (const [place, { owner }] of order.entries()) {
          const next = order.findIndex((one, at) => at > place && one.owner === owner);
          const between = order.slice(place + 1, next < 0 ? place + 1 : next);
          expect(new Set(between.map((one) => one.owner)).size).toBe(between.length);
        }
      }),
    );
  });
});

describe("a turn", () => {
  /** Runs messages through, as calls do; resolves to what was decided in each turn. */
  async function play(sizes: readonly (readonly [owner: number, size: number])[]) {
    const turns = new MessageScheduler();
    const decided: string[][] = [[]];
    const decide = (name: string) => decided.at(-1)?.push(name);
    let left = sizes.length;
    for (const [owner, size] of sizes) {
      const name = `${owner}:${size}`;
      const proceed = () => {
        decide(name);
        left--;
      };
      if (turns.admit(size)) proceed();
      else turns.add(ownerOf(owner), { size, proceed });
    }
    while (left > 0) {
      decided.push([]);
      await nextTurn();
    }
    return decided;
  }

  it("decides what comes at once, while it is little", async () => {
    const few = Array.from({ length: 16 }, () => [0, KIB] as const);
    expect(await play(few)).toEqual([few.map(([owner, size]) => `${owner}:${size}`)]);
  });

  it("has at most 16 KiB of messages, or the one that makes it more", async () => {
    const size = fc.integer({ min: 1, max: 20 * KIB });
    const sizes = fc.array(fc.tuple(fc.nat({ max: 4 }), size), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, async (all) => {
        for (const turn of await play(all)) {
          const bytes = turn.map((name) => Number(name.split(":")[1]));
          const before = bytes.slice(0, -1).reduce((sum, one) => sum + one, 0);
          expect(before).toBeLessThan(16 * KIB);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("is shared by connections, whoever came first", async () => {
    const long = 20 * KIB;
    const turns = await play([
      [0, long],
      [0, long],
      [0, long],
      [0, long],
      [1, 10],
      [2, 10],
    ]);
    const order = turns.flat().map((name) => name[0]);
    expect(order).toEqual(["0", "0", "1", "2", "0", "0"]);
  });

  it("begins anew where nothing waits", async () => {
    const turns = new MessageScheduler();
    expect([turns.admit(20 * KIB), turns.admit(1)]).toEqual([true, false]);
    await nextTurn();
    expect(turns.admit(1)).toBe(true);
  });

  it("is not taken by what has ended", async () => {
    const turns = new MessageScheduler();
    turns.admit(20 * KIB);
    const order: string[] = [];
    for (let number = 0; number < 1000; number++)
      turns.add(ownerOf(0), { size: 0, proceed: () => {} });
    turns.add(ownerOf(0), { size: 1, proceed: () => order.push("alive") });
    await nextTurn();
    expect(order).toEqual(["alive"]);
  });
});
