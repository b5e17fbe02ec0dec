/** Keys, names of policies and headers: nothing breaks out, and no two become one. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { parseList } from "structured-headers";
import { expect, test } from "vitest";
import {
  joinKey,
  NOT_ANSWERED,
  partitions,
  policyName,
  policyOf,
  problemBody,
  problemOf,
  rateLimitHeaders,
  SERVER_ERROR,
} from "../../../src/http/headers/index.ts";
import { digest } from "../../../src/internal/index.ts";
import { type Decision, SpillwayError } from "../../../src/limits/core/index.ts";
import { runs } from "../../runs.ts";

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.stringMatching(/^[ab|\\%"\r\n;,]{0,6}$/),
);

test("two lists of parts are one key only where they are the same", () => {
  const lists = fc.array(hostile, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(lists, lists, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(joinKey(one) === joinKey(other)).toBe(same);
    }),
    { numRuns: runs(5000) },
  );
});

test("a key of one plain part is that part, and numbers are written", () => {
  expect(joinKey(["user 7"])).toBe("user 7");
  expect(joinKey(["user", 7, 8n])).toBe("user|7|8");
});

test.each([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, {}, [], true, Symbol("x")])(
  "%s is no part of a key",
  (part) => {
    expect(() => joinKey(["user", part as never])).toThrow(SpillwayError);
  },
);

test("a policy's name is one that a parser which is not ours reads, and no two become one", () => {
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      const policy = policyOf(one, { kind: "token bucket", rate: 3, period: 1000 });
      const standing = { policy, remaining: 2, wait: 1000, partition: undefined };
      const another = policyOf(`${one}2`, { kind: "token bucket", rate: 3, period: 1000 });
      const limits = [standing, { ...standing, policy: another }];
      const statuses = { limits, retryAfter: undefined, now: () => 0 };
      for (const [, value] of rateLimitHeaders("draft", statuses)) {
        expect(value).toMatch(/^[\x20-\x7e]*$/);
        expect(parseList(value).map(([name]) => name)).toEqual([policy.name, another.name]);
      }
      const same = one.toWellFormed() === other.toWellFormed();
      expect(policyName(one) === policyName(other)).toBe(same);
    }),
    { numRuns: runs(3000) },
  );
});

test.each(["application/json", "text/html", "text/plain"])(
  "a problem as %s has as many bytes as characters, whatever the limit is called",
  (accept) => {
    fc.assert(
      fc.property(hostile, (name) => {
        const policies = [policyName(name)];
        const problem = problemOf({ reason: "limited", retryAfter: 7, policies });
        const { text } = problemBody(problem, accept);
        expect(Buffer.byteLength(text)).toBe(text.length);
      }),
      { numRuns: runs(1000) },
    );
  },
);

test.each([
  [
    { kind: "token bucket", rate: 10, period: "1m", capacity: 20 },
    { quota: 10, window: 60 },
  ],
  [
    { kind: "fixed window", rate: 100, period: 250 },
    { quota: 400, window: 1 },
  ],
  [
    { kind: "leaky bucket", rate: 2, period: 1500 },
    { quota: 4, window: 3 },
  ],
  [
    { kind: "sliding log", rate: 5, period: 60_001 },
    { quota: 5, window: 61 },
  ],
  [
    { kind: "concurrency", capacity: 3, ttl: "1m" },
    { quota: 3, window: undefined },
  ],
] as const)("the policy of %j is %j", (limit, told) => {
  expect(policyOf("x", limit)).toMatchObject(told);
});

const SECRET = { secret: "sixteen letters!" };

test("a partition key is a code under the secret, and stays the same", () => {
  const partition = partitions(SECRET);
  const ada = partition({ limit: "search", key: "ada" });
  expect(ada).toMatch(/^[A-Za-z0-9+/]{12}$/);
  expect(partition({ limit: "search", key: "ada" })).toBe(ada);
  expect(partitions(SECRET)({ limit: "search", key: "ada" })).toBe(ada);
  const others = [
    partition({ limit: "search", key: "eve" }),
    partition({ limit: "login", key: "ada" }),
    partitions({ secret: "sixteen letters?" })({ limit: "search", key: "ada" }),
  ];
  expect(new Set([ada, ...others]).size).toBe(4);
  expect(partition({ limit: "search=a", key: "da" })).not.toBe(
    partition({ limit: "search", key: "a=da" }),
  );
});

test("a partition key is the first 72 bits of an HMAC, whatever the limit, the key and the secret", () => {
  const secrets = fc.string({ unit: "binary", minLength: 16, maxLength: 80 });
  const bytes = (text: string) => Buffer.from(text, "utf16le");
  fc.assert(
    fc.property(hostile, hostile, secrets, (limit, key, secret) => {
      const code = createHmac("sha256", bytes(secret)).update(
        bytes(`${limit.length}:${limit}=${key}`),
      );
      const expected = code.digest().subarray(0, 9).toString("base64");
      expect(partitions({ secret })({ limit, key })).toBe(expected);
    }),
    { numRuns: runs(1000) },
  );
});

test("who does not know the secret can't find an address by its partition key", () => {
  const shown = partitions(SECRET)({ limit: "search", key: "203.0.113.7" });
  const guesses = ["", "search", "203.0.113.7", "spillway"].map((secret) =>
    partitions({ secret: secret.padEnd(16) })({ limit: "search", key: "203.0.113.7" }),
  );
  const plain = digest("6:search=203.0.113.7").slice(0, 18);
  expect([...guesses, Buffer.from(plain, "hex").toString("base64")]).not.toContain(shown);
});

test.each([
  undefined,
  null,
  true,
  "a text of 16 letters",
  [],
  {},
  { secret: "x".repeat(15) },
  { secret: 1e20 },
])("%j makes no partition keys", (options) => {
  const make = () => partitions(options as never);
  expect(make).toThrow(expect.objectContaining({ code: "bad-option" }));
  expect(make).not.toThrow(/16 letters|xxx/);
});

test("a partition key is remembered for so many keys only", () => {
  const partition = partitions(SECRET);
  const first = partition({ limit: "search", key: "user 0" });
  for (let user = 1; user < 20_000; user++) partition({ limit: "search", key: `user ${user}` });
  expect(partition({ limit: "search", key: "user 0" })).toBe(first);
});

test("whatever a client accepts, it is one of three types, and without markup of others", () => {
  const policies = ["<script>alert(1)</script>"];
  const problem = problemOf({ reason: "limited", retryAfter: 3, policies });
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[texhml/*;q=.,\d]*$/)),
      (accept) => {
        const { contentType, text } = problemBody(problem, accept);
        expect(contentType).toMatch(
          /^(?:application\/problem\+json|text\/(?:html|plain); charset=utf-8)$/,
        );
        if (contentType.startsWith("text/html")) expect(text).not.toContain("<script>");
      },
    ),
  );
});

test("a problem as JSON is what JSON.stringify makes of it, whatever its policies are called", () => {
  const reasons = fc.constantFrom<Decision["reason"]>(
    "limited",
    "too large",
    "blocked",
    "shed",
    "unavailable",
  );
  const seconds = fc.option(fc.nat(), { nil: undefined });
  fc.assert(
    fc.property(reasons, seconds, fc.array(hostile), (reason, retryAfter, policies) => {
      const problem = problemOf({ reason, retryAfter, policies });
      expect(problemBody(problem, "application/json").text).toBe(JSON.stringify(problem));
    }),
  );
});

test.each([SERVER_ERROR, NOT_ANSWERED])("so is that of $detail", (problem) => {
  expect(problemBody(problem, undefined).text).toBe(JSON.stringify(problem));
});

test.each([
  [1500, 20_000, "22"],
  [1500, 19_600, "22"],
  [1500, 19_500, "21"],
  [1500, 400, "2"],
  [1000, 20_000, "21"],
])(
  "X-RateLimit-Reset since 1970, at %d in %d ms, is %s: never too early, nor a second late",
  (at, wait, reset) => {
    const policy = policyOf("x", { kind: "token bucket", rate: 3, period: 1000 });
    const limits = [{ policy, remaining: 0, wait, partition: undefined }];
    const headers = rateLimitHeaders("x-ratelimit-epoch", {
      limits,
      retryAfter: 20,
      now: () => at,
    });
    expect(headers).toContainEqual(["X-RateLimit-Reset", reset]);
  },
);
