/** What types must not reject, and what they have to infer. Compiled, never run. */
import { expectTypeOf } from "vitest";
import {
  type AnyLimiter,
  type CheckedLimits,
  type Decision,
  type JointAsk,
  type Lease,
  type Limit,
  type Limits,
  MINUTE,
  type RateLimitError,
  RateLimiter,
  type Store,
  type Timing,
  type TokenBucket,
} from "../../src/index.ts";

declare const shared: Store<"later">;
declare const data: Limits;
declare const fromDatabase: Limit;
declare const override: Limit | undefined;

const LIMITS = {
  send: { kind: "token bucket", rate: 10, period: MINUTE, capacity: 20, maxReserved: 5 },
  search: { kind: "sliding window", rate: 60, period: "1m", start: 0, shards: 2 },
  crawl: { kind: "leaky bucket", rate: 2, period: 1000, capacity: 50 },
  reports: { kind: "concurrency", capacity: 3, ttl: "5m", whenUnavailable: "local" },
} as const satisfies Limits;

/** Names and kinds come from the limits, literal, constant or both. */
export function infers() {
  const literal = new RateLimiter({
    send: { kind: "token bucket", rate: 10, period: MINUTE },
    reports: { kind: "concurrency", capacity: 3, ttl: "5m" },
  });
  expectTypeOf<Parameters<typeof literal.limit>[0]>().toEqualTypeOf<"send">();
  expectTypeOf(literal.limit("send")).toEqualTypeOf<Decision>();
  expectTypeOf(literal.acquire("reports")).toEqualTypeOf<Lease<"now">>();
  const later = new RateLimiter(LIMITS, { store: shared });
  expectTypeOf<Parameters<typeof later.limit>[0]>().toEqualTypeOf<"send" | "search" | "crawl">();
  expectTypeOf(later.limit("search", { reserve: false })).toEqualTypeOf<Promise<Decision>>();
  expectTypeOf(later.limit("crawl", { reserve: true })).toEqualTypeOf<Promise<Decision>>();
  later.limitAll([{ limit: "send", reserve: true }, { limit: "search" }, { limit: "reports" }]);
}

/** Limits that are data have any names, and kinds that only the program knows. */
export function takesData(limiter = new RateLimiter(data)) {
  limiter.limit("whatever", { key: "k", reserve: true });
  limiter.acquire("whatever");
  limiter.limit("trial", { config: fromDatabase });
  limiter.limitAll([{ limit: "trial", key: "k", config: fromDatabase, reserve: true }]);
  const one: TokenBucket = { kind: "token bucket", rate: 1, period: 1 };
  new RateLimiter({ one, other: fromDatabase }).limit("other");
  new RateLimiter({ ...LIMITS, ...data }).limit("send");
}

/** A config that is there or not overrides a limit of that name. */
export function overrides(limiter = new RateLimiter(LIMITS)) {
  limiter.limit("send", { key: "k", ...(override && { config: override }) });
  limiter.limitAll([{ limit: "send", ...(override && { config: override }) }]);
}

/** Names that are known only as some of several. */
export function takesUnions(name: "send" | "search", limiters: OfEitherTiming) {
  new RateLimiter(LIMITS).limit(name, { key: "k" });
  new RateLimiter(LIMITS).limitAll([name].map((limit) => ({ limit, key: "k" })));
  limiters.limit(name, { key: "k" });
}
type OfEitherTiming = RateLimiter<typeof LIMITS, "now"> | RateLimiter<typeof LIMITS, "later">;

/** A function that makes a limiter of limits that it is given. */
export function passesOn<const L extends Limits>(
  limits: L & CheckedLimits<L>,
  store: Store<Timing>,
) {
  return new RateLimiter<L, Timing>(limits, { store });
}
export function passesOnAsks<L extends Limits>(limiter: RateLimiter<L>, asks: JointAsk<L>[]) {
  return limiter.limitAll(asks);
}

/** Every limiter fits where any is taken, whatever its limits and its store are. */
export function fits<L extends Limits, M extends Timing>(limiter: RateLimiter<L, M>) {
  const any: AnyLimiter = limiter;
  const ofSame: AnyLimiter<L> = limiter;
  return [any, ofSame];
}

/** Limits may be made by a class, or be of one of several kinds. */
export function takesObjects(isStrict: boolean) {
  class Login {
    kind = "token bucket" as const;
    rate = 10;
    period = 1000;
  }
  new RateLimiter({ login: new Login() }).limit("login", { reserve: true });
  const kind = isStrict ? "sliding log" : "token bucket";
  new RateLimiter({ login: { kind, rate: 10, period: 1000 } }).limit("login");
}

/** An error's response is the runtime's own. */
export function responds(error: RateLimitError): Response {
  return error.getResponse();
}
