import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Overdue } from "../../src/transports/envoy-rls/grpc/overdue.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("calls whose message doesn't arrive fail after ten to twenty seconds, others never", () => {
  const overdue = new Overdue();
  const [late, read] = [{ fail: vi.fn() }, { fail: vi.fn() }];
  overdue.watch(late);
  overdue.watch(read);
  vi.advanceTimersByTime(10_000);
  overdue.read(read);
  expect(late.fail).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(late.fail).toHaveBeenCalledOnce();
  expect(read.fail).not.toHaveBeenCalled();
});
