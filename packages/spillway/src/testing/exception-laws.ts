/** Conformance cases for the register of exceptions: who is blocked or overridden, and why. */
import type { ExceptionPage } from "../limiter/index.ts";
import { type Limits, type RegisterCommand, SpillwayError } from "../limits/core/index.ts";
import type { CaseBody, TestedLimiter } from "./cases.ts";
import { expectEqual, expectParts } from "./expect.ts";

const key = "k";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The limits of the cases. */
export const EXCEPTION_LIMITS = {
  api: { kind: "token bucket", rate: 10, period: "1h" },
  jobs: { kind: "concurrency", capacity: 2, ttl: "1h" },
  login: { kind: "fixed window", rate: 5, period: "15m" },
} as const satisfies Limits;

/** Keys in the order of their UTF-16 units, some of which a database can't store as they are. */
const ODD_KEYS = ["", "\0", "-", "/", "a", "a.b", "a/b", "ab", "é", "\ud800", "😀", "\uffff"];

/** The cases of a store with a register, by name. */
const CASES: { readonly [name: string]: CaseBody } = {
  async "lists blocks and overrides, in order and with their reasons"(limiter, clock) {
    const start = clock();
    await limiter.override("jobs", { key: "b", capacity: 9, reason: "migration, ticket 4711" });
    await limiter.override("api", { key: "b", rate: 99, for: "1d" });
    await limiter.block("api", { key: "b", for: "1h", reason: "scraping" });
    await limiter.block("api", { key: "a", for: "2h", reason: "\"quoted\" 'ü' 😀 {1} \\" });
    await limiter.block("login", { for: "1h" });
    clock.advance(1000);
    const all = [
      { limit: "api", key: "a", type: "block", reason: "\"quoted\" 'ü' 😀 {1} \\" },
      { limit: "api", key: "b", type: "block", reason: "scraping" },
      { limit: "api", key: "b", type: "override", reason: undefined },
      { limit: "jobs", key: "b", type: "override", reason: "migration, ticket 4711" },
      { limit: "login", key: undefined, type: "block", reason: undefined },
    ].map((one) => ({ ...one, since: start }));
    const ends = [2 * HOUR, HOUR, DAY, 36_525 * DAY, HOUR].map((ms) => ({ endsAfter: ms - 1000 }));
    const listed = { exceptions: all.map((one, nth) => ({ ...one, ...ends[nth] })) };
    expectEqual(await limiter.exceptions(), { ...listed, next: undefined }, "all");
    expectEqual(await names(limiter, { limit: "api" }), "a block, b block, b override", "a limit");
    const ofKey = await names(limiter, { limit: "api", key: "b" });
    expectEqual(ofKey, "b block, b override", "a key");
  },

  async "lists what is in force, and nothing else"(limiter, clock) {
    await limiter.block("api", { key, for: 1000 });
    await limiter.override("api", { key, rate: 20 });
    await limiter.reset("api", { key });
    clock.advance(999);
    expectEqual(await names(limiter), "k block, k override", "a millisecond before its end");
    clock.advance(1);
    expectEqual(await names(limiter), "k override", "at its end");
    await limiter.block("api", { key, for: 1000, reason: "again" });
    await limiter.endOverride("api", { key });
    expectEqual(await names(limiter), "k block", "an override was ended");
    await limiter.unblock("api", { key });
    await limiter.unblock("api", { key });
    expectEqual(await names(limiter), "", "a block was ended, twice");
  },

  async "lists an exception that replaces another one by its own reason and end"(limiter, clock) {
    await limiter.block("api", { key, for: "30d", reason: "first" });
    clock.advance(HOUR);
    const since = clock();
    await limiter.block("api", { key, for: "1h", reason: "second" });
    const [one] = (await limiter.exceptions()).exceptions;
    expectEqual(
      one,
      { limit: "api", key, type: "block", reason: "second", since, endsAfter: HOUR },
      "it",
    );
    await limiter.block("api", { key, for: "1h" });
    expectParts((await limiter.exceptions()).exceptions[0] ?? {}, { reason: undefined }, "none");
  },

  async "keeps keys apart that look alike"(limiter) {
    for (const odd of [...ODD_KEYS].reverse()) {
      await limiter.block("login", { key: odd, for: "1h", reason: `key of ${odd.length}` });
    }
    await limiter.block("login", { for: "1h" });
    const { exceptions } = await limiter.exceptions({ limit: "login" });
    const listed = exceptions.map((one) => one.key);
    expectEqual(listed, [undefined, ...ODD_KEYS], "all in order");
    for (const odd of ODD_KEYS) {
      const { exceptions } = await limiter.exceptions({ limit: "login", key: odd });
      expectEqual(
        exceptions.map((one) => one.key),
        [odd],
        "one alone",
      );
    }
  },

  async "pages through all that stay, once each, while others come and go"(limiter) {
    const stay = Array.from({ length: 12 }, (_, nth) => `m${String.fromCharCode(97 + nth)}`);
    for (const one of stay) await limiter.block("api", { key: one, for: "1h" });
    const seen: (string | undefined)[] = [];
    let after: string | undefined;
    let page = 0;
    do {
      const { exceptions, next }: ExceptionPage = await limiter.exceptions({ most: 3, after });
      seen.push(...exceptions.map((one) => one.key));
      after = next;
      await limiter.block("api", { key: `a${page}`, for: "1h" });
      await limiter.block("api", { key: `${exceptions.at(-1)?.key ?? ""}+`, for: "1h" });
      if (page > 0) await limiter.unblock("api", { key: `a${page - 1}` });
      page++;
    } while (after !== undefined);
    const found = seen.filter((one) => stay.includes(one ?? ""));
    expectEqual(found, stay, "those that stay");
    expectEqual(new Set(seen).size, seen.length, "each is listed once");
  },

  async "lists no exception that was registered and did not begin"(limiter, _, store) {
    await limiter.block("api", { key, for: "1h" });
    const [entry] = await registered(store);
    await limiter.unblock("api", { key });
    const put = { verb: "put", entry: { ...entry, reason: "" }, ms: HOUR };
    await store.register?.(put as RegisterCommand);
    expectEqual(await names(limiter), "", "only registered");
    expectEqual((await registered(store)).length, 1, "it is there");
  },

  async "removes and replaces an entry by its revision"(limiter, clock, store) {
    await limiter.block("api", { key, for: "1h" });
    const [entry] = await registered(store);
    const { id = "", revision = 0 } = entry ?? {};
    const other = revision === 1 ? 2 : revision - 1;
    await store.register?.({ verb: "remove", id, revision: other });
    expectEqual((await registered(store)).length, 1, "another revision");
    const next = { id, reason: "next", revision: other };
    await store.register?.({ verb: "put", entry: next, ms: 1 });
    clock.advance(HOUR);
    await touch(limiter);
    expectEqual((await registered(store))[0]?.reason, "next", "kept as long as the one before");
    await store.register?.({ verb: "remove", id, revision: other });
    expectEqual(await registered(store), [], "its own revision");
  },

  async "forgets entries some time after their end"(limiter, clock, store) {
    for (let nth = 0; nth < 15; nth++) await limiter.block("api", { key: `k${nth}`, for: 1000 });
    clock.advance(1000 + HOUR);
    for (let nth = 0; nth < 4; nth++) await touch(limiter);
    expectEqual((await registered(store)).length, 0, "all are gone");
  },
};

/** Writes an entry, and removes it. */
async function touch(limiter: TestedLimiter): Promise<void> {
  await limiter.block("login", { key: "touched", for: 1 });
  await limiter.unblock("login", { key: "touched" });
}

async function registered(store: Parameters<CaseBody>[2]) {
  const list = { verb: "list", after: "", before: "~", most: 100 } as const;
  return (await store.register?.(list)) ?? [];
}

async function names(
  limiter: TestedLimiter,
  options: { readonly limit?: string; readonly key?: string } = {},
): Promise<string> {
  const { exceptions } = await limiter.exceptions(options);
  return exceptions.map((one) => `${one.key} ${one.type}`).join(", ");
}

/** The cases, by name. A store without a register is refused by name in each. */
export const exceptionLaws: { readonly [name: string]: CaseBody } = Object.fromEntries(
  Object.entries(CASES).map(([name, body]): [string, CaseBody] => [
    name,
    (limiter, clock, store) =>
      store.register ? body(limiter, clock, store) : isRefusedByName(limiter),
  ]),
);

/** Checks that a store without a register is refused by name when one is needed, and not before. */
async function isRefusedByName(limiter: TestedLimiter): Promise<void> {
  const calls = [
    async () => limiter.exceptions(),
    async () => limiter.block("api", { key, for: "1h", reason: "scraping" }),
  ];
  for (const call of calls) {
    const code = await call().then(
      () => "none",
      (error) => (error instanceof SpillwayError ? error.code : "another"),
    );
    expectParts({ code }, { code: "no-register" }, "by name");
  }
  await limiter.block("api", { key, for: "1h" });
  expectParts(await limiter.limit("api", { key }), { ok: false, reason: "blocked" }, "a block");
  await limiter.unblock("api", { key });
  expectParts(await limiter.limit("api", { key }), { ok: true }, "its end");
}
