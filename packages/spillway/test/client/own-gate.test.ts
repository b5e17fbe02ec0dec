/** Takes of a client's own limits are counted once, whatever comes of them. */
import { expect, test } from "vitest";
import { OwnGate } from "../../src/client/hosts/own-gate.ts";
import { ownLimits, type TakeOwn } from "../../src/client/hosts/own-limit.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 9, period: "1h" } });

function gateOf(key: () => string) {
  const take = ownLimits({ limiter, limit: "api", key }) as TakeOwn;
  const gate = new OwnGate(take, new VirtualScheduler());
  const failures: unknown[] = [];
  const ask = (taken: () => void) =>
    gate.ask("a.example", { taken, delayed: taken, failed: (error) => failures.push(error) });
  return { gate, failures, ask };
}

test("what the receiver of a take throws is no failure of the take", () => {
  const { gate, failures, ask } = gateOf(() => "key");
  const throwing = () => {
    throw new Error("of the receiver");
  };
  expect(() => ask(throwing)).toThrow("of the receiver");
  expect([gate.asking, failures]).toEqual([0, []]);
});

test("a take that throws is reported, and is over", () => {
  const { gate, failures, ask } = gateOf(() => {
    throw new Error("of the key");
  });
  ask(() => {});
  expect([gate.asking, failures]).toEqual([0, [new Error("of the key")]]);
});
