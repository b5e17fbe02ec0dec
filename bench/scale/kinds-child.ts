/**
 * Run as a process of its own, with a number of keys and the names of kinds: prints the nanoseconds of a
 * call on each of these. See `scale` and `memory`.
 */
import { performance } from "node:perf_hooks";
import { RateLimiter } from "spillway";
import { batches, makeKeys, shuffled } from "../keys.ts";
import { median } from "../numbers.ts";

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

const ROUNDS = 12;
/** Rounds that do not count. */
const WARM_UP = 3;
/** In a turn of one kind. */
const CALLS = 100_000;
const BATCH = 1000;

/** Asks once for each key. Each kind has a loop of its own, as each place in a program is its own. */
type Loop = (keys: readonly string[]) => void;

const limiter = new RateLimiter(LIMITS);

const LOOPS: Readonly<Record<string, Loop>> = {
  "token bucket": (keys) => {
    for (const key of keys) if (!limiter.limit("token bucket", { key }).ok) refused(key);
  },
  "leaky bucket": (keys) => {
    for (const key of keys) if (!limiter.limit("leaky bucket", { key }).ok) refused(key);
  },
  "fixed window": (keys) => {
    for (const key of keys) if (!limiter.limit("fixed window", { key }).ok) refused(key);
  },
  "sliding window": (keys) => {
    for (const key of keys) if (!limiter.limit("sliding window", { key }).ok) refused(key);
  },
  "sliding log": (keys) => {
    for (const key of keys) if (!limiter.limit("sliding log", { key }).ok) refused(key);
  },
  concurrency: (keys) => {
    for (const key of keys) if (!limiter.acquire("concurrency", { key }).release()) refused(key);
  },
};

function refused(key: string): never {
  throw new Error(`${key} was refused`);
}

const [count, ...names] = process.argv.slice(2);
const keys = batches(shuffled(makeKeys(Number(count))), BATCH);

/** One kind: each turn goes on with the keys where the last one stopped. */
function contestant(name: string) {
  const loop = LOOPS[name] as Loop;
  const measured: number[] = [];
  let next = 0;
  return {
    name,
    measured,
    measure() {
      const start = performance.now();
      for (let left = CALLS; left > 0; left -= BATCH) loop(keys[next++ % keys.length] ?? []);
      measured.push(((performance.now() - start) * 1e6) / CALLS);
    },
    /** So that the store knows every key. */
    meet: () => keys.forEach(loop),
  };
}

const contestants = names.map(contestant);
for (const { meet } of contestants) meet();
for (let round = 0; round < ROUNDS; round++) for (const { measure } of contestants) measure();
const medians = contestants.map(({ name, measured }) => [name, median(measured.slice(WARM_UP))]);
console.log(JSON.stringify(Object.fromEntries(medians)));
