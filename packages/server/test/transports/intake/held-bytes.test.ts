/** What unfinished messages hold together. fast-check prints the seed of a failure. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeldBytes, type HeldMessage } from "../../../src/transports/intake/index.ts";

const KIB = 1024;
const MOST = 64 * KIB;
const LONGEST = 40 * KIB;

type Step = { readonly of: number; readonly bytes: number | "release" };
const step: fc.Arbitrary<Step> = fc.record({
  of: fc.nat({ max: 30 }),
  bytes: fc.oneof(fc.constant("release" as const), fc.nat({ max: 12 * KIB })),
});

/** Messages in the order in which they began, and what should be in them. */
type Begun = { readonly message: HeldMessage; expected: Buffer; drops: number };

function begin(held: HeldBytes): Begun {
  const onDropped = () => {
    begun.drops++;
  };
  const message = held.begin({ longest: LONGEST, onDropped });
  const begun: Begun = { message, expected: Buffer.alloc(0), drops: 0 };
  return begun;
}

function take(one: Begun, { of, bytes }: Step): void {
  if (bytes === "release") {
    one.message.release();
    return;
  }
  const part = Buffer.alloc(bytes, of + 1);
  one.message.add(part);
  one.expected = Buffer.concat([one.expected, part]);
}

describe("messages", () => {
  it("hold what was added to them, and never more together than there may be", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const held = new HeldBytes({ most: MOST });
        const all = new Map<number, Begun>();
        for (const each of steps) {
          const one = all.get(each.of) ?? begin(held);
          all.set(each.of, one);
          take(one, each);
          const live = [...all.values()].filter(({ message }) => message.length > 0);
          for (const { message, expected } of live)
            expect(message.bytes.equals(expected)).toBe(true);
          const length = live.reduce((sum, { message }) => sum + message.length, 0);
          expect(held.bytes).toBeGreaterThanOrEqual(Math.max(length, 4 * KIB * live.length));
          // What is kept ready is at most as much again.
          expect(held.bytes).toBeLessThanOrEqual(2 * length + 4 * KIB * live.length);
          if (live.length > 1) expect(held.bytes).toBeLessThanOrEqual(MOST);
        }
        for (const { message } of all.values()) message.release();
        expect(held.bytes).toBe(0);
        for (const { drops, message } of all.values()) {
          expect(drops).toBeLessThanOrEqual(1);
          expect(message.length).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are dropped from the oldest on, and nothing is added to them then", () => {
    const held = new HeldBytes({ most: 4 * 4 * KIB });
    const all = Array.from({ length: 7 }, () => {
      const one = begin(held);
      one.message.add(Buffer.alloc(10));
      return one;
    });
    expect(all.map(({ drops }) => drops)).toEqual([1, 1, 1, 0, 0, 0, 0]);
    all[0]?.message.add(Buffer.alloc(10));
    expect([all[0]?.message.isOver, all[0]?.message.length]).toEqual([true, 0]);
    expect(held.bytes).toBe(4 * 4 * KIB);
  });

  it("that are old are the first to go also where they grow themselves", () => {
    const held = new HeldBytes({ most: 16 * KIB });
    const [old, young] = [begin(held), begin(held)];
    for (const { message } of [old, young]) message.add(Buffer.alloc(8 * KIB));
    old.message.add(Buffer.alloc(8 * KIB));
    expect([old.drops, young.drops]).toEqual([1, 0]);
  });

  it("may have more than all may where there is only one", () => {
    const held = new HeldBytes({ most: 16 * KIB });
    const { message } = begin(held);
    message.add(Buffer.alloc(20 * KIB));
    expect(message.length).toBe(20 * KIB);
  });

  it("are given as much memory as the longest needs, and no more", () => {
    const held = new HeldBytes();
    const { message } = begin(held);
    for (let part = 0; part < 40; part++) message.add(Buffer.alloc(KIB));
    expect(held.bytes).toBe(LONGEST);
  });
});
