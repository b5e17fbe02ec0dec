/** Logs and leases in memory whose time is over: what the first call on them costs, and their neighbours. */
import { performance } from "node:perf_hooks";
import { DAY, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "./part.ts";

const ENTRIES = 100_000;
const KEYS = 20;
const ROUNDS = 7;

export const expiry: Part = {
  name: "expired entries in memory",
  async measure(progress) {
    const title = `a key of ${ENTRIES} entries, all of which are over, µs`;
    const contestants = [first("log"), second("log"), first("leases"), second("leases"), newKeys()];
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [groupOf(title, measured, { figure: "us", unit: "µs" })];
  },
};

type Time = { readonly us: number };
type List = "log" | "leases";

function filled(list: List, keys: number, entries: number) {
  const clock = manualClock();
  const limits = {
    log: { kind: "sliding log", rate: ENTRIES, period: DAY },
    leases: { kind: "concurrency", capacity: ENTRIES, ttl: DAY },
    other: { kind: "token bucket", rate: 1, period: DAY },
  } as const;
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock }) });
  for (let entry = 0; entry < entries; entry++) {
    clock.advance(1);
    for (let key = 0; key < keys; key++) {
      if (list === "log") limiter.limit("log", { key: `${key}` });
      else limiter.acquire("leases", { key: `${key}` });
    }
  }
  clock.advance(3 * DAY);
  return { limiter, check: () => limiter.check(list, { key: "0" }) };
}

function time(call: () => unknown): Time {
  const start = performance.now();
  call();
  return { us: (performance.now() - start) * 1000 };
}

function first(list: List): Contestant<Time> {
  return {
    name: `${list}: the first check`,
    measure: async () => time(filled(list, 1, ENTRIES).check),
  };
}

function second(list: List): Contestant<Time> {
  return {
    name: `${list}: the second check`,
    async measure() {
      const { check } = filled(list, 1, ENTRIES);
      check();
      return time(check);
    },
  };
}

/** Looking for room, they come across keys of which nothing is left. */
function newKeys(): Contestant<Time> {
  return {
    name: `a new key beside ${KEYS} of ${ENTRIES / KEYS} leases`,
    async measure() {
      const { limiter } = filled("leases", KEYS, ENTRIES / KEYS);
      const { us } = time(() => {
        for (let key = 0; key < KEYS; key++) limiter.limit("other", { key: `new ${key}` });
      });
      return { us: us / KEYS };
    },
  };
}
