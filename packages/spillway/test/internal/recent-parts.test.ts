import { afterEach, expect, test, vi } from "vitest";
import { RecentParts } from "../../src/internal/index.ts";

afterEach(() => vi.restoreAllMocks());

test("as large as asked, no single map grows so large that to copy it takes long", () => {
  let largest = 0;
  const { set } = Map.prototype;
  vi.spyOn(Map.prototype, "set").mockImplementation(function (
    this: Map<unknown, unknown>,
    ...entry
  ) {
    set.apply(this, entry);
    largest = Math.max(largest, this.size);
    return this;
  });
  const most = 40_000;
  const parts = new RecentParts<number>(most);
  for (let key = 0; key < 2 * most; key++) parts.set(`${key}`, key);
  vi.restoreAllMocks();
  expect(largest).toBeLessThan(17_000);
  let kept = 0;
  for (let key = 0; key < 2 * most; key++) if (parts.get(`${key}`) === key) kept++;
  // What is in a part that is full gives way to what comes to it: the newest eight tenths are all there.
  expect(kept).toBeLessThanOrEqual(most);
  expect(kept).toBeGreaterThan(0.99 * most);
  for (let key = 1.2 * most; key < 2 * most; key += 7) expect(parts.get(`${key}`)).toBe(key);
});

test("of few entries keeps exactly the last", () => {
  const parts = new RecentParts<number>(2);
  for (const [place, key] of ["a", "b", "a", "c"].entries()) parts.set(key, place);
  expect(["a", "b", "c"].map((key) => parts.get(key))).toEqual([2, undefined, 3]);
  expect(parts.delete("a")).toBe(true);
  expect(parts.get("a")).toBe(undefined);
});
