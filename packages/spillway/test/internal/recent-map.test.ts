import { expect, test, vi } from "vitest";
import { RecentMap } from "../../src/internal/index.ts";

test("keeps the entries set last", () => {
  const map = new RecentMap<string, number>(3);
  for (const [place, key] of ["a", "b", "c"].entries()) map.set(key, place);
  map.set("a", 3);
  map.set("d", 4);
  expect(["a", "b", "c", "d"].map((key) => map.get(key))).toEqual([3, undefined, 2, 4]);
  map.delete("c");
  map.set("e", 5);
  map.set("f", 6);
  expect(["a", "c", "d", "e", "f"].map((key) => map.get(key))).toEqual([
    undefined,
    undefined,
    4,
    5,
    6,
  ]);
  expect(map.size).toBe(3);
});

test("of one entry, and when it was empty in between", () => {
  const map = new RecentMap<number, number>(1);
  for (let key = 0; key < 1000; key++) {
    map.set(key, key);
    if (key % 7 === 0) map.delete(key);
    else expect([map.get(key), map.get(key - 1), map.size]).toEqual([key, undefined, 1]);
  }
});

test("finds the oldest without passing what has gone", () => {
  const map = new RecentMap<number, number>(10);
  const walks = (["keys", "values", "entries"] as const).map((name) =>
    vi.spyOn(Map.prototype, name),
  );
  for (let key = 0; key < 1000; key++) map.set(key % 13, key);
  expect(walks.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  vi.restoreAllMocks();
  expect(map.size).toBe(10);
});
