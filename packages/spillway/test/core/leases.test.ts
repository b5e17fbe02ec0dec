import { describe, expect, test } from "vitest";
import { Leases } from "../../src/core/index.ts";

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
