import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Overdue } from "../../../src/transports/envoy-rls/grpc/overdue.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const unread = () => ({ isRead: false, wait: vi.fn(), fail: vi.fn() });

it("calls whose message doesn't arrive fail after ten to twenty seconds, others never", async () => {
  const overdue = new Overdue();
  const [late, read] = [unread(), unread()];
  overdue.watch(late);
  overdue.watch(read);
  await turn();
  expect(late.wait).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(10_000);
  overdue.read(read);
  expect(late.fail).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(late.fail).toHaveBeenCalledOnce();
  expect(read.fail).not.toHaveBeenCalled();
});

it("calls that came with their message are not kept at all", async () => {
  const overdue = new Overdue();
  const call = { ...unread(), isRead: true };
  overdue.watch(call);
  await turn();
  vi.advanceTimersByTime(60_000);
  expect([call.wait.mock.calls, call.fail.mock.calls]).toEqual([[], []]);
  expect(vi.getTimerCount()).toBe(0);
});
