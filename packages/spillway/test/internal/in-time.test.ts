import { expect, test } from "vitest";
import { inTime } from "../../src/internal/index.ts";

const unreadable = () => {
  const { proxy, revoke } = Proxy.revocable(new Error("gone"), {});
  revoke();
  return proxy;
};

test("rejects with something, also where an error can't be read", async () => {
  const failing = (error: unknown) => (error instanceof Error ? error : new Error("no error"));
  const answer = inTime({ field: "key", timeout: 1000 }, Promise.reject(unreadable()), failing);
  await expect(answer).rejects.toThrow(TypeError);
});
