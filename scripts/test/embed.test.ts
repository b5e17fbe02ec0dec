import { expect, test } from "vitest";
import { embedded, present } from "../embed.ts";

test.each(embedded())("what is embedded is what the files say: npm run embed", (one) => {
  expect(present(one)).toBe(one.text);
});
