import { expect, test } from "vitest";
import { askAll, inTurn, timeEach } from "../load.ts";

/** Answers in a later turn of the event loop, and remembers who asked for what. */
function contender(admits: (key: string) => boolean) {
  const asked: string[] = [];
  let flying = 0;
  let most = 0;
  const ask = async (key: string) => {
    asked.push(key);
    most = Math.max(most, ++flying);
    await new Promise(setImmediate);
    flying--;
    return admits(key);
  };
  const open = async () => ask;
  const opened = {
    contender: { name: "fake", open, admits: (answer: unknown) => answer === true },
    ask,
    nextKey: inTurn(["a", "b", "c"]),
  };
  return { opened, asked, most: () => most };
}

test("keeps as many calls in flight as there are callers, and asks for keys in turn", async () => {
  const { opened, asked, most } = contender(() => true);
  await askAll(opened, { asks: 10, callers: 4 });
  expect(asked.join("")).toBe("abcabcabca");
  expect(most()).toBe(4);
});

test("goes on with the keys where it stopped", async () => {
  const { opened, asked } = contender(() => true);
  await askAll(opened, { asks: 2, callers: 2 });
  await askAll(opened, { asks: 2, callers: 2 });
  expect(asked.join("")).toBe("abca");
});

test("times one call after the other", async () => {
  const { opened, most } = contender(() => true);
  expect(await timeEach(opened, 5)).toHaveLength(5);
  expect(most()).toBe(1);
});

test("ends with the first refusal, for every caller", async () => {
  const { opened, asked } = contender((key) => key !== "c");
  await expect(askAll(opened, { asks: 9, callers: 2 })).rejects.toThrow("fake refused: false");
  await new Promise(setImmediate);
  expect(asked.join("")).toBe("abca");
});

test("times no refusal", async () => {
  const { opened } = contender((key) => key !== "c");
  await expect(timeEach(opened, 3)).rejects.toThrow("fake refused: false");
});
