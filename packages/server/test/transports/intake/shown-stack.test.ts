import { expect, it } from "vitest";
import { shownStack } from "../../../src/transports/intake/index.ts";

const FRAME = /^ {4}at /;

it.each([
  ["plain", new Error("plain")],
  ["of several lines", new Error("a\n2026 spillway: forged")],
  ["with what looks like a frame", new Error("a\n    at x\n2026 spillway: forged")],
  ["with colours", new Error("\u001b[31mred")],
  ["no text", new Error("")],
  ["very long", new Error("x".repeat(100_000))],
  ["changed", Object.assign(new Error("before\n    at x\nforged"), { message: "after" })],
  ["no error", "a\nforged"],
  ["nothing", undefined],
])("an error whose message is %s is one line, and its frames one each", (_, error) => {
  const [first = "", ...frames] = shownStack(error).split("\n");
  for (const frame of frames) expect(frame).toMatch(FRAME);
  expect(first.length).toBeLessThan(1000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
  expect(first).not.toMatch(/\u001b/);
  if (error instanceof Error) expect(frames.length).toBeGreaterThan(0);
});
