import { expect, test } from "vitest";
import { embedded, present } from "../embed.ts";

test("the embedded script is what the Lua files say: npm run embed", () => {
  expect(present()).toBe(embedded());
});
