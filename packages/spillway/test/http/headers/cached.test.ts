/** What a function has found is kept for a time, and not for ever. */
import { expect, test } from "vitest";
import { cached } from "../../../src/http/headers/index.ts";

/** A cache of a function that counts its calls. */
function counting(most = 2, load = (name: string): number | Promise<number> => name.length) {
  const loaded: string[] = [];
  let now = 0;
  const find = cached(
    (name) => {
      loaded.push(name);
      return load(name);
    },
    { for: "1s", most, elapsed: () => now },
  );
  const advance = (ms: number) => {
    now += ms;
  };
  return { find, loaded, advance };
}

test("a value is loaded once in its time", () => {
  const { find, loaded, advance } = counting();
  expect([find("gold"), find("gold")]).toEqual([4, 4]);
  advance(999);
  find("gold");
  expect(loaded).toEqual(["gold"]);
  advance(1);
  find("gold");
  expect(loaded).toEqual(["gold", "gold"]);
});

test("calls at the same time share one load", async () => {
  const { find, loaded } = counting(2, async (name) => name.length);
  expect(await Promise.all([find("gold"), find("gold")])).toEqual([4, 4]);
  expect(loaded).toEqual(["gold"]);
});

test("a load that fails is not kept", async () => {
  const { find, loaded } = counting(2, async () => {
    throw new Error("away");
  });
  await expect(find("gold")).rejects.toThrow("away");
  await expect(find("gold")).rejects.toThrow("away");
  expect(loaded).toEqual(["gold", "gold"]);
});

test("no more is kept than may be: the oldest goes first", () => {
  const { find, loaded } = counting();
  for (const name of ["a", "b", "c", "b", "c", "a"]) find(name);
  expect(loaded).toEqual(["a", "b", "c", "a"]);
});

test.each([{ for: 0 }, { for: "soon" }, { for: 1, most: 0 }, {}])("refuses %j", (options) => {
  expect(() => cached(() => 1, options as never)).toThrow("expected");
});
