import fc from "fast-check";
import { expect, test } from "vitest";
import { type LineEnd, MemberLine } from "../../src/internal/index.ts";

type Move =
  | { readonly verb: "join" | "leave" | "has"; readonly member: number }
  | { readonly verb: "take"; readonly end: LineEnd }
  | { readonly verb: "takeOldest"; readonly count: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    verb: fc.constantFrom("join" as const, "leave" as const, "has" as const),
    member: fc.nat(9),
  }),
  fc.record({
    verb: fc.constant("take" as const),
    end: fc.constantFrom<LineEnd>("oldest", "newest"),
  }),
  fc.record({ verb: fc.constant("takeOldest" as const), count: fc.nat(4) }),
);

/** The same move of a list, in the plainest way. */
function expected(list: number[], move: Move): unknown {
  if (move.verb === "take") return move.end === "oldest" ? list.shift() : list.pop();
  if (move.verb === "takeOldest") return list.splice(0, move.count);
  const isThere = list.includes(move.member);
  if (move.verb === "has") return isThere;
  if (move.verb === "join") return void (isThere || list.push(move.member));
  return isThere && list.splice(list.indexOf(move.member), 1).length === 1;
}

function made(line: MemberLine<number>, move: Move): unknown {
  if (move.verb === "take") return line.take(move.end);
  if (move.verb === "takeOldest") return line.takeOldest(move.count);
  if (move.verb === "join") return line.has(move.member) ? undefined : line.join(move.member);
  return move.verb === "has" ? line.has(move.member) : line.leave(move.member);
}

test("a line is a list from which anybody leaves", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const line = new MemberLine<number>();
      const list: number[] = [];
      for (const each of moves) {
        expect(made(line, each)).toEqual(expected(list, each));
        expect([...line.from("oldest")]).toEqual(list);
        expect([...line.from("newest")]).toEqual(list.toReversed());
        expect([line.length, line.first, line.last]).toEqual([list.length, list[0], list.at(-1)]);
      }
    }),
  );
});
