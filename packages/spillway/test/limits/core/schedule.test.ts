import fc from "fast-check";
import { expect, test } from "vitest";
import { Schedule, type Scheduled } from "../../../src/internal/index.ts";

const step = fc.record({
  verb: fc.constantFrom("add", "add", "add", "cancel", "cancel", "take"),
  at: fc.nat(20),
  which: fc.nat(1000),
});

test("calls are taken in the order of their instants, without those that were cancelled", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const schedule = new Schedule();
      const added: Scheduled[] = [];
      const taken: string[] = [];
      let list: { readonly at: number; readonly name: string }[] = [];
      for (const [index, { verb, at, which }] of steps.entries()) {
        const name = `${index}`;
        if (verb === "add") {
          added.push(schedule.add({ at, item: () => taken.push(name) }));
          list = [...list, { at, name }].sort((one, other) => one.at - other.at);
        } else if (verb === "cancel" && added.length > 0) {
          // Those that were made or cancelled before are among them.
          const entry = added[which % added.length] as Scheduled;
          const gone = list.findIndex(
            ({ name }) => name === `${addedAt(steps, which % added.length)}`,
          );
          schedule.cancel(entry);
          if (gone >= 0) list.splice(gone, 1);
        } else if (verb === "take") {
          const [first] = list.splice(0, 1);
          schedule.take()?.();
          if (first !== undefined) expect(taken.at(-1)).toBe(first.name);
        }
        expect(schedule.size).toBe(list.length);
        expect(schedule.next).toBe(list[0]?.at ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
});

/** At which step an entry was added. */
function addedAt(steps: readonly { readonly verb: string }[], entry: number): number {
  const adds = [...steps.keys()].filter((index) => steps[index]?.verb === "add");
  return adds[entry] as number;
}
