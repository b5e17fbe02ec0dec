/** Keys, names of policies and headers: nothing breaks out, and no two become one. */
import fc from "fast-check";
import { parseList } from "structured-headers";
import { expect, test } from "vitest";
import { type Decision, SpillwayError } from "../../src/core/index.ts";
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
} from "../../src/http/index.ts";
import { runs } from "../runs.ts";

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
      const standing = { policy, remaining: 2, seconds: 1, partition: undefined };
      const standings = { limits: [standing, standing], retryAfter: undefined, now: () => 0 };
      for (const [, value] of rateLimitHeaders("draft", standings)) {
        expect(value).toMatch(/^[\x20-\x7e]*$/);
        expect(parseList(value).map(([name]) => name)).toEqual([policy.name, policy.name]);
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

test("a partition key is a digest, and stays the same", () => {
  const partition = partitions();
  const ada = partition({ limit: "search", key: "ada" });
  expect(ada).toMatch(/^[A-Za-z0-9+/]{12}$/);
  expect(partition({ limit: "search", key: "ada" })).toBe(ada);
  expect(partitions()({ limit: "search", key: "ada" })).toBe(ada);
  expect(partition({ limit: "search", key: "eve" })).not.toBe(ada);
  expect(partition({ limit: "search=a", key: "da" })).not.toBe(
    partition({ limit: "search", key: "a=da" }),
  );
});

test("a partition key is remembered for so many keys only", () => {
  const partition = partitions();
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

test("X-RateLimit-Reset since 1970 is never too early", () => {
  const policy = policyOf("x", { kind: "token bucket", rate: 3, period: 1000 });
  const limits = [{ policy, remaining: 0, seconds: 20, partition: undefined }];
  const headers = rateLimitHeaders("x-ratelimit-epoch", {
    limits,
    retryAfter: 20,
    now: () => 1500,
  });
  expect(headers).toContainEqual(["X-RateLimit-Reset", "22"]);
});
