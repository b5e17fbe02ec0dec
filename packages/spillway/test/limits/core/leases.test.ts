import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type LeaseRecord, Leases } from "../../../src/limits/core/index.ts";

const filled = (...untils: number[]) => {
  const leases = new Leases();
  untils.forEach((until, id) => {
    leases.add({ id, units: 1, until });
  });
  return leases;
};

describe("leases", () => {
  test("are in the order in which they are forgotten", () => {
    const leases = filled(10, 20, 30);
    leases.remove(1);
    leases.add({ id: 1, units: 1, until: 40 });
    expect([...leases].map(({ until }) => until)).toEqual([10, 30, 40]);
    expect(leases.size).toBe(3);
  });

  test("of one id are one, with the units of both and the later instant", () => {
    const leases = filled(10, 20);
    leases.add({ id: 0, units: 2, until: 30 });
    expect([...leases]).toEqual([
      { id: 1, units: 1, until: 20 },
      { id: 0, units: 3, until: 30 },
    ]);
    expect(leases.find(0)).toEqual({ id: 0, units: 3, until: 30 });
    expect(leases.remove(0)).toEqual({ id: 0, units: 3, until: 30 });
    expect(leases.remove(0)).toBeUndefined();
  });

  test("are the same once they were written as numbers and read, whatever comes then", () => {
    const ids = fc.array(fc.nat(40), { maxLength: 60 });
    fc.assert(
      fc.property(ids, ids, fc.nat(60), (before, after, over) => {
        const leases = new Leases();
        let until = 0;
        const change = (one: Leases, id: number) =>
          id % 3 === 0 ? one.remove(id) : one.add({ id, units: 1 + (id % 4), until });
        for (const id of before) {
          until++;
          change(leases, id);
        }
        const read = Leases.from(leases.toNumbers());
        for (const id of after) {
          until++;
          change(leases, id);
          change(read, id);
          expect(read.find(id)).toEqual(leases.find(id));
        }
        expect(read.dropUntil(over)).toBe(leases.dropUntil(over));
        expect([...read]).toEqual([...leases]);
        for (const units of [1, 5, 20]) expect(read.freedBy(units)).toBe(leases.freedBy(units));
        expect(read.unitsUntil(until)).toBe(leases.unitsUntil(until));
      }),
    );
  });

  test("are shortened and moved back, and a copy is not", () => {
    const leases = filled(10, 20, 30);
    const copy = leases.copy();
    leases.shorten(20);
    leases.rewind(5);
    leases.remove(0);
    expect([...leases].map(({ until }) => until)).toEqual([15, 15]);
    expect([...copy].map(({ until }) => until)).toEqual([10, 20, 30]);
  });
});

/** The same in the simplest way: a list that is walked through for everything. */
class LeaseList {
  all: LeaseRecord[] = [];

  add({ id, units, until }: LeaseRecord): void {
    const more = this.remove(id)?.units ?? 0;
    this.all.push({ id, units: units + more, until });
  }

  remove(id: number): LeaseRecord | undefined {
    const found = this.all.find((lease) => lease.id === id);
    this.all = this.all.filter((lease) => lease !== found);
    return found;
  }

  unitsUntil(instant: number): number {
    const over = this.all.filter(({ until }) => until <= instant);
    return over.reduce((sum, { units }) => sum + units, 0);
  }

  dropUntil(instant: number): number {
    const units = this.unitsUntil(instant);
    this.all = this.all.filter(({ until }) => until > instant);
    return units;
  }

  freedBy(units: number): number {
    let left = units;
    for (const lease of this.all) {
      left -= lease.units;
      if (left <= 0) return lease.until;
    }
    return Number.POSITIVE_INFINITY;
  }

  change(next: (until: number) => number): void {
    this.all = this.all.map((lease) => ({ ...lease, until: next(lease.until) }));
  }
}

const step = fc.record({
  verb: fc.constantFrom("add", "add", "add", "remove", "remove", "drop", "shorten", "rewind"),
  id: fc.nat(60),
  units: fc.nat(5),
  ms: fc.nat(20),
});

describe("beside a list that is walked through", () => {
  test("leases hold the same after whatever was done to them", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        let leases = new Leases();
        const list = new LeaseList();
        let latest = 1000;
        for (const { verb, id, units, ms } of steps) {
          if (verb === "add") {
            latest += ms;
            const lease = { id, units, until: latest };
            leases.add(lease);
            list.add(lease);
          } else if (verb === "remove") {
            expect(leases.remove(id)).toEqual(list.remove(id));
          } else if (verb === "drop") {
            const instant = latest - 20 * ms;
            expect(leases.dropUntil(instant)).toBe(list.dropUntil(instant));
          } else if (verb === "shorten") {
            latest -= ms;
            leases.shorten(latest);
            list.change((until) => Math.min(until, latest));
          } else {
            latest -= ms;
            leases.rewind(ms);
            list.change((until) => until - ms);
          }
          if (units === 0) leases = leases.copy();
          expect([...leases]).toEqual(list.all);
          expect(leases.size).toBe(list.all.length);
          expect(leases.find(id)).toEqual(list.all.find((lease) => lease.id === id));
          expect(leases.unitsUntil(latest - ms)).toBe(list.unitsUntil(latest - ms));
          if (units > 0) expect(leases.freedBy(3 * units)).toBe(list.freedBy(3 * units));
        }
      }),
    );
  });
});

describe("many leases", () => {
  const ITERATORS = ["keys", "values", "entries", "forEach", Symbol.iterator] as const;

  afterEach(() => vi.restoreAllMocks());

  // A map keeps room for what was deleted, and an iterator passes all of it again each time.
  test("are never looked through by way of a map", () => {
    const walks = ITERATORS.map((iterator) => vi.spyOn(Map.prototype, iterator as "keys"));
    const leases = filled(...Array.from({ length: 1000 }, (_, index) => index));
    for (let id = 0; id < 500; id++) leases.remove(id);
    leases.dropUntil(600);
    leases.add({ id: 700, units: 1, until: 1000 });
    expect(leases.freedBy(3)).toBe(603);
    expect([...leases]).toHaveLength(399);
    for (const walk of walks) expect(walk).not.toHaveBeenCalled();
  });
});
