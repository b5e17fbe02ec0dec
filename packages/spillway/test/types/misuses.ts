/** What types have to reject: code, and what the compiler's message has to name. */

/** Misuse of a limiter whose limits are `send` (token bucket), `search` (sliding window), and `reports`. */
export type Misuse = {
  readonly code: string;
  /** A part of the message: the field, or what should have been there. */
  readonly names: string;
  /** Whether it takes `exactOptionalPropertyTypes` to see it. */
  readonly isExact?: true;
};

/** Limits, as they are written where the limiter is made; each is the limit `it`. */
const LIMITS: readonly Misuse[] = [
  { code: '{ kind: "token bucket", rate: 5, period: "1m", burst: 5 }', names: '"burst"' },
  { code: '{ kind: "token bucket", rate: 5, period: "1m", start: 0 }', names: '"start"' },
  { code: '{ kind: "token bucket", rate: 5, period: "1m", ttl: "1m" }', names: '"ttl"' },
  { code: '{ kind: "token bucket", rate: 5, period: "1m", max: 5 }', names: '"max"' },
  { code: '{ kind: "token bucket", rate: 5, period: "1m", capcity: 5 }', names: '"capcity"' },
  { code: '{ kind: "token bucket", rate: 5, period: "1m", name: "it" }', names: '"name"' },
  { code: '{ kind: "fixed window", rate: 5, period: "1m", ttl: 5 }', names: '"ttl"' },
  { code: '{ kind: "sliding window", rate: 5, period: "1m", capacity: 9 }', names: '"capacity"' },
  { code: '{ kind: "sliding window", rate: 5, period: "1m", maxReserved: 0 }', names: '"maxRes' },
  { code: '{ kind: "sliding log", rate: 5, period: "1m", capacity: 9 }', names: '"capacity"' },
  { code: '{ kind: "sliding log", rate: 5, period: "1m", start: 0 }', names: '"start"' },
  { code: '{ kind: "leaky bucket", rate: 5, period: "1m", shards: 3 }', names: '"shards"' },
  { code: '{ kind: "leaky bucket", rate: 5, period: "1m", start: 0 }', names: '"start"' },
  { code: '{ kind: "concurrency", capacity: 3, ttl: "1m", rate: 5 }', names: '"rate"' },
  { code: '{ kind: "concurrency", capacity: 3, ttl: "1m", period: "1m" }', names: '"period"' },
  { code: '{ kind: "concurrency", capacity: 3, ttl: "1m", maxReserved: 1 }', names: '"maxRes' },
  { code: '{ kind: "concurrency", capacity: 3, ttl: "1m", shards: 2 }', names: '"shards"' },
];

/** Limits of which the message is the compiler's own. */
const BROKEN_LIMITS: readonly Misuse[] = [
  { code: '{ kind: "token bucket", period: "1m" }', names: "'rate' is missing" },
  { code: '{ kind: "token bucket", rate: 5 }', names: "'period' is missing" },
  { code: '{ kind: "concurrency", ttl: "1m" }', names: "'capacity' is missing" },
  { code: '{ kind: "concurrency", capacity: 3 }', names: "'ttl' is missing" },
  { code: '{ kind: "tokenbucket", rate: 5, period: "1m" }', names: '"token bucket"' },
  { code: '{ rate: 5, period: "1m" }', names: "'kind' is missing" },
  { code: '{ kind: "token bucket", rate: "5", period: "1m" }', names: "'number'" },
  { code: '{ kind: "token bucket", rate: 5, period: "1 minute" }', names: "minute" },
  { code: '{ kind: "token bucket", rate: 5, period: "1w" }', names: "1w" },
  { code: '{ kind: "token bucket", rate: 5, period: "1m", capacity: "9" }', names: "'number'" },
  {
    code: '{ kind: "token bucket", rate: 5, period: "1m", whenUnavailable: "fail" }',
    names: "'WhenUnavailable",
  },
  {
    code: '{ kind: "token bucket", rate: 5, period: "1m", capacity: undefined }',
    names: "'capacity'",
    isExact: true,
  },
];

/** What is asked of a limiter, and how it is set. */
const CALLS: readonly Misuse[] = [
  {
    code: '{ const held = { it: { kind: "sliding log", rate: 5, period: "1m" } }; new RateLimiter(held); }',
    names: "parameter of type 'LimitsInPlaceOrAsConst'",
  },
  { code: 'limiter.limit("sendMessage");', names: '"send"' },
  { code: 'limiter.limit("reports");', names: '"send"' },
  { code: 'limiter.limit("send", "user 7");', names: "user 7" },
  { code: 'limiter.limit("send", { key: 7 });', names: "'string'" },
  { code: 'limiter.limit("send", { key: null });', names: "'null'" },
  { code: 'limiter.limit("send", { key: undefined });', names: "'key'", isExact: true },
  { code: 'limiter.limit("send", { key: found });', names: "'key'", isExact: true },
  { code: 'limiter.limit("send", { id: "user 7" });', names: "'id'" },
  { code: 'limiter.limit("send", { key: "k", cost: 5 });', names: "'cost'" },
  { code: 'limiter.limit("send", { key: "k", count: "5" });', names: "'number'" },
  { code: 'limiter.limit("send", { key: "k", throws: "yes" });', names: "'boolean" },
  { code: 'limiter.limit("send", { key: "k", leave: 1 });', names: "'leave'" },
  { code: 'limiter.limit("search", { key: "k", reserve: true });', names: "ReserveIsOnlyFor" },
  { code: 'limiter.check("search", { key: "k", reserve: true });', names: "ReserveIsOnlyFor" },
  { code: 'limiter.check("reports", { key: "k", reserve: true });', names: "ReserveIsOnlyFor" },
  { code: 'limiter.limitAll([{ limit: "search", reserve: true }]);', names: "ReserveIsOnlyFor" },
  { code: 'limiter.limitAll([{ limit: "reports", reserve: true }]);', names: "ReserveIsOnlyFor" },
  { code: 'limiter.limitAll([{ limit: "serch", key: "k" }]);', names: '"search"' },
  { code: 'limiter.limitAll([{ key: "k" }]);', names: "'limit'" },
  { code: 'limiter.limitAll([{ limit: "send", throws: true }]);', names: "'throws'" },
  { code: 'limiter.limitAll({ limit: "send" });', names: "'limit'" },
  { code: 'limiter.acquire("send");', names: '"reports"' },
  { code: 'limiter.acquire("reports", { key: "k", reserve: true });', names: "'reserve'" },
  { code: 'limiter.acquire("reports", { key: "k", wait: "soon" });', names: "'wait'" },
  { code: 'limiter.run("send", async () => {});', names: '"reports"' },
  { code: 'limiter.run("reports", { throws: true }, async () => {});', names: "'throws'" },
  { code: 'limiter.settle("reports", { reserved: 1, used: 1 });', names: '"send"' },
  { code: 'limiter.settle("send", { key: "k", reserved: 1 });', names: "'used' is missing" },
  { code: 'limiter.settle("send", { key: "k", used: 1 });', names: "'reserved' is missing" },
  { code: 'limiter.block("send", { key: "k" });', names: "'for' is missing" },
  { code: 'limiter.block("send", { key: "k", for: "for ever" });', names: "for ever" },
  { code: 'limiter.value("send", { key: "k", count: 1 });', names: "'count'" },
  { code: 'limiter.reset("nobody");', names: '"send"' },
  { code: "new RateLimiter({}, { clock: Date.now });", names: "'clock'" },
  { code: "new RateLimiter({}, { store: new Map() });", names: "Store" },
  { code: 'new RateLimiter({}, { whenUnavailable: "fail" });', names: "'WhenUnavailable" },
  { code: "memoryStore({ max: 5 });", names: "'max'" },
  { code: 'limiter.limit("send").retyAfter;', names: "'retyAfter'" },
  { code: 'limiter.limit("trial", { config: { rate: 5, period: "1m" } });', names: '"trial"' },
  {
    code: 'limiter.limit("send", { config: { kind: "token bucket", rate: 5, period: "1m", ttl: 5 } });',
    names: "'ttl'",
  },
];

/** What a route says of its limits. */
const ROUTES: readonly Misuse[] = [
  {
    code: 'limited(limiter, { limit: "serch" }, () => new Response());',
    names: "'config' is missing",
  },
  { code: 'limited(limiter, { limit: "send", cost: 1 }, () => new Response());', names: "'cost'" },
  { code: "limited(limiter, {}, () => new Response());", names: "FetchRoute" },
  { code: 'limited({}, { limit: "send" }, () => new Response());', names: "AnyLimiter" },
];

/** Each misuse, by what it is written in. */
export const MISUSES: readonly Misuse[] = [
  ...[...LIMITS, ...BROKEN_LIMITS].map(({ code, ...rest }) => ({
    code: `new RateLimiter({ fine: SEARCH, it: ${code} });`,
    ...rest,
  })),
  // The same limits, where they are a constant: an error is where that is used.
  ...LIMITS.map(({ code, names }) => ({
    code: `{ const held = { fine: SEARCH, it: ${code} } as const; new RateLimiter(held); }`,
    names,
  })),
  ...LIMITS.map(({ code, names }) => ({
    code: `{ const held = { it: ${code} } satisfies Limits; new RateLimiter(held); }`,
    names: names.replaceAll('"', ""),
  })),
  ...CALLS,
  ...ROUTES,
];
