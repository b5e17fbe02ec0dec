/** Run as a process of its own: prints the nanoseconds of a call on each of the named kinds. See `scale`. */
import { performance } from "node:perf_hooks";
import { RateLimiter } from "spillway";
import { makeKeys } from "../keys.ts";
import { median } from "../run.ts";

/** More than any key is asked for, so that everything is admitted. */
const RATE = 1_000_000;
const LIMITS = {
  "token bucket": { kind: "token bucket", rate: RATE, period: "1h" },
  "leaky bucket": { kind: "leaky bucket", rate: RATE, period: "1h", capacity: RATE },
  "fixed window": { kind: "fixed window", rate: RATE, period: "1h" },
  "sliding window": { kind: "sliding window", rate: RATE, period: "1h" },
  "sliding log": { kind: "sliding log", rate: RATE, period: "1s" },
  concurrency: { kind: "concurrency", capacity: RATE, ttl: "1h" },
} as const;

const KEYS = makeKeys(1000);
const ROUNDS = 12;
/** Rounds that do not count. */
const WARM_UP = 3;
/** In a turn of one kind, for each key. */
const ASKS = 100;

/** Asks once for each key. Each kind has a loop of its own, as each place in a program is its own. */
type Loop = () => void;

const limiter = new RateLimiter(LIMITS);

const LOOPS: Readonly<Record<string, Loop>> = {
  "token bucket": () => {
    for (const key of KEYS) if (!limiter.limit("token bucket", { key }).ok) refused(key);
  },
  "leaky bucket": () => {
    for (const key of KEYS) if (!limiter.limit("leaky bucket", { key }).ok) refused(key);
  },
  "fixed window": () => {
    for (const key of KEYS) if (!limiter.limit("fixed window", { key }).ok) refused(key);
  },
  "sliding window": () => {
    for (const key of KEYS) if (!limiter.limit("sliding window", { key }).ok) refused(key);
  },
  "sliding log": () => {
    for (const key of KEYS) if (!limiter.limit("sliding log", { key }).ok) refused(key);
  },
  concurrency: () => {
    for (const key of KEYS) if (!limiter.acquire("concurrency", { key }).release()) refused(key);
  },
};

function refused(key: string): never {
  throw new Error(`${key} was refused`);
}

function nsOf(loop: Loop): number {
  const start = performance.now();
  for (let round = 0; round < ASKS; round++) loop();
  return ((performance.now() - start) * 1e6) / (ASKS * KEYS.length);
}

const names = process.argv.slice(2);
const measured = new Map(names.map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const name of names) {
    const ns = nsOf(LOOPS[name] as Loop);
    if (round >= WARM_UP) measured.get(name)?.push(ns);
  }
}
console.log(JSON.stringify(Object.fromEntries([...measured].map(([n, all]) => [n, median(all)]))));
