/** Which responses count as unread, of clients that read slowly. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { StreamResponse } from "../../../../src/transports/proxy/http2/stream-response.ts";
import { UnreadResponses } from "../../../../src/transports/proxy/http2/unread-responses.ts";

const SECOND = 1000;
const WRITE_TIMEOUT = 30 * SECOND;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection with one response, whose state the tests set. */
function watched() {
  const socket = { bytesWritten: 0 };
  const response = { closed: false, sent: 0, isWaitingForClient: true };
  const ends: string[] = [];
  const unread = new UnreadResponses({
    socket,
    writeTimeout: WRITE_TIMEOUT,
    onUnread: () => ends.push("response"),
    onStuck: () => ends.push("connection"),
  });
  unread.add(response as StreamResponse);
  return { socket, response, ends };
}

/** Lets seconds pass, each with some bytes that leave. Returns after how many the response ends. */
function secondsUntilCut(
  { socket, ends }: ReturnType<typeof watched>,
  { bytes, seconds }: { readonly bytes: number; readonly seconds: number },
): number | undefined {
  for (let second = 1; second <= seconds; second++) {
    socket.bytesWritten += bytes;
    vi.advanceTimersByTime(SECOND);
    if (ends.length > 0) return second;
  }
  return undefined;
}

it.each([
  ["nothing", 0],
  ["answers to a ping a second", 17],
])("a client that reads %s loses its response within 45 s", (_, bytes) => {
  const scene = watched();
  expect(secondsUntilCut(scene, { bytes, seconds: 300 })).toBeLessThanOrEqual(45);
  expect(scene.ends).toEqual(["response"]);
});

it("a client that reads 100 bytes a second has 5 min for each part", () => {
  const scene = watched();
  for (let part = 1; part <= 5; part++) {
    expect(secondsUntilCut(scene, { bytes: 100, seconds: 299 })).toBe(undefined);
    scene.response.sent += 29_900;
  }
  const cut = secondsUntilCut(scene, { bytes: 100, seconds: 400 });
  expect(cut).toBeGreaterThan(285);
  expect(cut).toBeLessThanOrEqual(330);
});

it("a response that waits for its server is not unread", () => {
  const scene = watched();
  scene.response.isWaitingForClient = false;
  expect(secondsUntilCut(scene, { bytes: 0, seconds: 1000 })).toBe(undefined);
});
