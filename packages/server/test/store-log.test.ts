import { MINUTE } from "spillway";
import type { StoreEvent } from "spillway/redis";
import { manualClock } from "spillway/testing";
import { beforeEach, expect, it } from "vitest";
import { storeLog } from "../src/telemetry/index.ts";

const node = "10.0.0.1:6379";
const failed: StoreEvent = { type: "failed", node, error: new Error("late"), calls: 3 };
const paused: StoreEvent = { type: "paused", node, failures: 5, pause: 1000 };
const resumed: StoreEvent = { type: "resumed", node };
const degraded: StoreEvent = {
  type: "degraded",
  limit: "shop/user",
  whenUnavailable: "open",
  ok: true,
};

let told: string[];
let trouble: (error: Error) => string | undefined;
let clock: ReturnType<typeof manualClock>;
let note: (event: StoreEvent) => void;
beforeEach(() => {
  told = [];
  trouble = () => undefined;
  clock = manualClock(0);
  note = storeLog({
    name: "redis+cluster://10.0.0.1:6379",
    warn: (line) => told.push(line),
    trouble: (error) => trouble(error),
    clock,
  });
});

it("tells once when an outage begins, and once when it ends", () => {
  for (const event of [failed, degraded, failed, paused, degraded, degraded, failed]) note(event);
  expect(told).toEqual([
    "the store redis+cluster://10.0.0.1:6379, node 10.0.0.1:6379, failed: late",
    "the store redis+cluster://10.0.0.1:6379, node 10.0.0.1:6379, failed 5 times in a row: it is asked once in 1000 ms, and limits answer without it",
  ]);
  note(resumed);
  note(resumed);
  expect(told.slice(2)).toEqual([
    "the store redis+cluster://10.0.0.1:6379, node 10.0.0.1:6379, answers again; 3 answers were given without it",
    "the store redis+cluster://10.0.0.1:6379, node 10.0.0.1:6379, answers again; 0 answers were given without it",
  ]);
});

it("tells of failures that come alone once a minute", () => {
  note(failed);
  clock.advance(MINUTE - 1);
  note(failed);
  expect(told).toHaveLength(1);
  clock.advance(1);
  note(failed);
  expect(told).toHaveLength(2);
});

it("tells of every outage, and of every node's", () => {
  for (const event of [failed, paused, resumed, failed, paused]) note(event);
  expect(told).toHaveLength(5);
  note({ ...paused, node: "10.0.0.2:6379" });
  expect(told[5]).toContain("10.0.0.2:6379");
});

it("tells what is wrong with the connection, where that is why", () => {
  trouble = ({ message }) => `connect ECONNREFUSED, so it is ${message}`;
  note(failed);
  expect(told).toEqual([
    "the store redis+cluster://10.0.0.1:6379, node 10.0.0.1:6379, failed: connect ECONNREFUSED, so it is late",
  ]);
});

it("tells of what is no outage once a minute, each for itself, and of no end of it", () => {
  const others: StoreEvent[] = [
    { type: "disagreed", node, error: new Error("2 budgets charged, expected 1"), calls: 3 },
    { type: "overflowed", node, calls: 8, most: 100 },
    { type: "unreleased", limit: "shop/jobs" },
  ];
  for (const event of [...others, ...others]) note(event);
  expect(told).toEqual([
    "the store redis+cluster://10.0.0.1:6379, node 10.0.0.1:6379, answers what this program does not understand, and 3 calls were refused: 2 budgets charged, expected 1",
    "8 calls were refused: 100 wait to be sent to the store redis+cluster://10.0.0.1:6379, node 10.0.0.1:6379, already",
    "a lease of the limit shop/jobs could not be released in the store redis+cluster://10.0.0.1:6379: it is in flight until its ttl is over",
  ]);
  clock.advance(MINUTE);
  for (const event of others) note(event);
  expect(told).toHaveLength(6);
});

it.each([
  ["redis", "redis://10.0.0.1:6379/0", "redis://10.0.0.1:6379/0"],
  ["postgres", "postgres://10.0.0.1:5432/app", "postgres://10.0.0.1:5432/app"],
  ["sqlite, writing", "sqlite:/limits.db", "sqlite:/limits.db, writing"],
])("names a store by its URL, not by its kind: %s", (kind, name, shown) => {
  const warn = (line: string) => told.push(line);
  storeLog({ name, warn, trouble: () => undefined, clock })({ ...failed, node: kind });
  expect(told).toEqual([`the store ${shown} failed: late`]);
});
