import { expect } from "vitest";
import { HERE, type Row } from "../row.ts";
import { PROBLEM } from "./basics.ts";

const none = { partitionKey: false } as const;

/** Keys, several limits at once, and limits that are found for each request. */
export const several: readonly Row[] = [
  {
    situation: "a start of a leaky bucket that is to be waited for",
    route: () => ({ ...none, limit: "calm" }),
    reply: (decision, { notes }) => {
      notes.push(decision?.decision?.retryAfter);
      return {};
    },
    steps: [
      {
        before: ({ limiter }) => limiter.limit("calm", { key: HERE, count: 2 }),
        gets: { status: 200 },
      },
    ],
    left: [["calm", HERE, 2]],
    after: ({ notes }) => expect(notes).toEqual([20]),
  },
  {
    situation: "a start of a leaky bucket that is further away than a request waits",
    route: () => ({ ...none, limits: [{ limit: "calm" }, { limit: "search" }], wait: 15 }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit("calm", { key: HERE, count: 2 }),
        gets: { status: 429, headers: { "retry-after": "1" } },
      },
    ],
    left: [
      ["calm", HERE, 3],
      ["search", HERE, 3],
    ],
  },
  {
    situation: "a start that is reserved, and waited for",
    route: () => ({ ...none, limit: "paced", reserve: true }),
    reply: (decision, { notes }) => {
      notes.push(decision?.decision?.retryAfter);
      return {};
    },
    steps: [
      {
        before: ({ limiter }) => limiter.limit("paced", { key: HERE, count: 3, reserve: true }),
        gets: { status: 200 },
      },
    ],
    after: ({ notes, limiter }) => {
      expect(notes).toEqual([20]);
      expect(limiter.value("paced", { key: HERE }).reserved).toBe(2);
    },
  },
  {
    situation: "a start that would be reserved for later than a request waits",
    route: () => ({
      ...none,
      limits: [{ limit: "paced", reserve: true }, { limit: "search" }],
      wait: 15,
    }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit("paced", { key: HERE, count: 3, reserve: true }),
        gets: { status: 429, headers: { "retry-after": "1" } },
      },
    ],
    left: [["search", HERE, 3]],
    after: ({ limiter }) => expect(limiter.value("paced", { key: HERE }).reserved).toBe(1),
  },
  {
    situation: "a key of the request",
    route: (read) => ({ ...none, limit: "daily", key: (request) => read(request, "x-user") ?? "" }),
    steps: [
      { headers: { "x-user": "ada" }, gets: { status: 200 } },
      { headers: { "x-user": "ada" }, gets: { status: 200 } },
      { headers: { "x-user": "ada" }, gets: { status: 429 } },
      { headers: { "x-user": "eve" }, gets: { status: 200 } },
    ],
    left: [
      ["daily", "ada", 0],
      ["daily", "eve", 1],
    ],
  },
  {
    situation: "a key that is promised",
    route: (read) => ({
      ...none,
      limit: "daily",
      key: async (request) => read(request, "x-user") ?? "",
    }),
    steps: [{ headers: { "x-user": "ada" }, gets: { status: 200 } }],
    left: [["daily", "ada", 1]],
  },
  {
    situation: "parts of a key that run into each other",
    route: (read) => ({
      ...none,
      limit: "daily",
      key: [(request) => read(request, "x-a") ?? "", (request) => read(request, "x-b") ?? ""],
    }),
    steps: [
      { headers: { "x-a": "one|two", "x-b": "three" }, gets: { status: 200 } },
      { headers: { "x-a": "one", "x-b": "two|three" }, gets: { status: 200 } },
      { headers: { "x-a": "one\\", "x-b": "two" }, gets: { status: 200 } },
      { headers: { "x-a": "one", "x-b": "|two" }, gets: { status: 200 } },
    ],
    left: [
      ["daily", "one\\|two|three", 1],
      ["daily", "one|two\\|three", 1],
      ["daily", "one\\\\|two", 1],
      ["daily", "one|\\|two", 1],
      ["daily", "one|two|three", 2],
    ],
  },
  {
    situation: "a key of values, functions and the client's address",
    route: (read) => ({
      ...none,
      limit: "daily",
      key: [
        "login",
        7,
        async (request) => read(request, "x-user") ?? "",
        (_, { address }) => address,
      ],
    }),
    steps: [{ headers: { "x-user": "ada" }, gets: { status: 200 } }],
    left: [["daily", `login|7|ada|${HERE}`, 1]],
  },
  {
    situation: "one budget for all, by a text",
    route: () => ({ ...none, limit: "daily", key: "all" }),
    steps: [{ gets: { status: 200 } }],
    left: [["daily", "all", 1]],
  },
  {
    situation: "whose budget it is, as a code under a secret",
    route: () => ({
      limit: "daily",
      key: "ada@example.com",
      partitionKey: { secret: "sixteen letters!" },
    }),
    steps: [
      {
        gets: {
          status: 200,
          headers: {
            "ratelimit-policy": '"daily";q=2;w=86400;pk=:E6Y07hK3/0Ki:',
            ratelimit: '"daily";r=1;t=86400;pk=:E6Y07hK3/0Ki:',
          },
        },
      },
    ],
  },
  {
    situation: "whose budget it is, which nothing says by default",
    route: () => ({ limit: "daily", key: "ada@example.com" }),
    steps: [
      {
        gets: {
          status: 200,
          headers: { "ratelimit-policy": '"daily";q=2;w=86400', ratelimit: '"daily";r=1;t=86400' },
        },
      },
    ],
  },
  {
    situation: "two limits, both charged",
    route: () => ({ ...none, limits: [{ limit: "search" }, { limit: "daily", key: "all" }] }),
    steps: [
      {
        gets: {
          status: 200,
          headers: {
            "ratelimit-policy": '"daily";q=2;w=86400, "search";q=3;w=60',
            ratelimit: '"daily";r=1;t=86400, "search";r=2;t=20',
          },
        },
      },
    ],
    left: [
      ["search", HERE, 2],
      ["daily", "all", 1],
    ],
  },
  {
    situation: "two limits, of which one refuses: none is charged, and only that one is named",
    route: () => ({ ...none, limits: [{ limit: "daily" }, { limit: "search", count: 2 }] }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit("search", { key: HERE, count: 2 }),
        gets: {
          status: 429,
          headers: {
            "ratelimit-policy": '"search";q=3;w=60',
            ratelimit: '"search";r=1;t=20',
            "retry-after": "20",
          },
          body: JSON.stringify({
            ...PROBLEM,
            detail: "Try again in 20 seconds.",
            "violated-policies": ["search"],
          }),
        },
      },
    ],
    left: [
      ["daily", HERE, 2],
      ["search", HERE, 1],
    ],
  },
  {
    situation: "two limits that both refuse: the longer wait",
    route: () => ({ ...none, limits: [{ limit: "search" }, { limit: "daily" }] }),
    steps: [
      {
        before: ({ limiter }) => {
          limiter.limit("search", { key: HERE, count: 3 });
          limiter.limit("daily", { key: HERE, count: 2 });
        },
        gets: {
          status: 429,
          headers: {
            ratelimit: '"daily";r=0;t=86400, "search";r=0;t=20',
            "retry-after": "86400",
          },
        },
      },
    ],
  },
  {
    situation: "two limits on a store that answers later",
    store: "later",
    route: () => ({ ...none, limits: [{ limit: "search" }, { limit: "daily" }] }),
    steps: [{ gets: { status: 200 } }],
    left: [
      ["search", HERE, 2],
      ["daily", HERE, 1],
    ],
  },
  {
    situation: "a limit of the tenant's plan",
    route: (read) => ({
      ...none,
      limit: "search",
      config: (request) =>
        read(request, "x-plan") === "gold"
          ? { kind: "token bucket", rate: 60, period: "1m" }
          : undefined,
    }),
    steps: [
      {
        headers: { "x-plan": "gold" },
        gets: { status: 200, headers: { "ratelimit-policy": '"search";q=60;w=60' } },
      },
      { gets: { status: 200, headers: { "ratelimit-policy": '"search";q=3;w=60' } } },
    ],
  },
  {
    situation: "a limit of the tenant's plan, promised, that is not defined with the limiter",
    route: () => ({
      ...none,
      limit: "trial",
      config: async () => ({ kind: "fixed window", rate: 1, period: "30d" }),
    }),
    steps: [
      { gets: { status: 200, headers: { "ratelimit-policy": '"trial";q=1;w=2592000' } } },
      { gets: { status: 429 } },
    ],
  },
  {
    situation: "a limit that is not defined with the limiter, and called what no header may carry",
    route: () => ({
      ...none,
      limit: "é",
      config: { kind: "token bucket", rate: 1, period: "1m" },
    }),
    steps: [
      { gets: { status: 200, headers: { "ratelimit-policy": '"%C3%A9";q=1;w=60' } } },
      {
        gets: {
          status: 429,
          body: JSON.stringify({
            ...PROBLEM,
            detail: "Try again in 60 seconds.",
            "violated-policies": ["%C3%A9"],
          }),
        },
      },
    ],
  },
  {
    situation: "one request under one limit for one key by two routes",
    route: () => [
      { ...none, limit: "search" },
      { ...none, limit: "search" },
    ],
    steps: [{ gets: { status: 200 } }, { gets: { status: 429 } }],
    left: [["search", HERE, 0]],
    warnings: ["counted twice"],
  },
  {
    situation: "one request under one limit for two keys by two routes",
    route: () => [
      { ...none, limit: "search" },
      { ...none, limit: "search", key: "all" },
    ],
    steps: [{ gets: { status: 200 } }],
    left: [
      ["search", HERE, 2],
      ["search", "all", 2],
    ],
  },
  {
    situation: "a refusal by the second route: the first stays charged",
    route: () => [
      { ...none, limit: "search" },
      { ...none, limit: "daily", count: 3 },
    ],
    steps: [{ gets: { status: 429, headers: { ratelimit: '"daily";r=2' } } }],
    left: [["search", HERE, 2]],
  },
  {
    situation: "two routes, of which each has the least left of one limit: both are reported",
    route: () => [
      { ...none, limits: [{ limit: "search" }, { limit: "login" }] },
      { ...none, limit: "daily" },
    ],
    steps: [
      {
        gets: {
          status: 200,
          headers: {
            "ratelimit-policy": '"daily";q=2;w=86400, "search";q=3;w=60, "login";q=5;w=300',
            ratelimit: '"daily";r=1;t=86400, "search";r=2;t=20, "login";r=4;t=60',
          },
        },
      },
    ],
  },
  {
    situation: "two routes for another origin, of which each has headers of its own",
    route: () => [
      { ...none, limit: "search", headers: "x-ratelimit" },
      { ...none, limit: "daily", count: 2 },
    ],
    steps: [
      {
        headers: { origin: "https://a.example" },
        gets: {
          status: 200,
          headers: {
            ratelimit: '"daily";r=0;t=86400, "search";r=2;t=20',
            "x-ratelimit-limit": "2",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": "86400",
            "access-control-expose-headers":
              "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
              "RateLimit-Policy, RateLimit",
          },
        },
      },
    ],
  },
  {
    situation: "one limit for two keys of one route: its policy once, and the least that is left",
    route: () => ({
      ...none,
      limits: [
        { limit: "daily", key: "a" },
        { limit: "daily", key: "b" },
      ],
    }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit("daily", { key: "b" }),
        gets: {
          status: 200,
          headers: { "ratelimit-policy": '"daily";q=2;w=86400', ratelimit: '"daily";r=0;t=86400' },
        },
      },
    ],
  },
  {
    situation: "a second route whose key fails: the first is reported, without a time",
    route: () => [
      { ...none, limit: "search" },
      { ...none, limit: "daily", key: (): string => undefined as never },
    ],
    steps: [{ gets: { status: 500, headers: { ratelimit: '"search";r=2' } } }],
    events: [{ type: "failed", field: "key" }],
  },
  {
    situation: "a part of a key that is undefined, which must not be everybody's",
    route: (read) => ({
      ...none,
      limit: "search",
      key: (request) => read(request, "x-user") as string,
    }),
    steps: [{ gets: { status: 500, headers: { ratelimit: null } } }],
    left: [
      ["search", HERE, 3],
      ["search", "undefined", 3],
    ],
    events: [{ type: "failed", field: "key" }],
  },
];
