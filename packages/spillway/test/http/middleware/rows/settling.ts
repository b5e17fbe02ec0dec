import { expect } from "vitest";
import { HERE, type Row } from "../row.ts";

const none = { partitionKey: false } as const;

/** What the response costs, and what is in flight until it is over. */
export const settling: readonly Row[] = [
  {
    situation: "failed logins only: one that succeeds costs nothing",
    route: () => ({ ...none, limit: "login", settle: ({ status }) => (status < 400 ? 0 : 1) }),
    steps: [{ gets: { status: 200, headers: { ratelimit: '"login";r=4;t=60' } } }],
    left: [["login", HERE, 5]],
  },
  {
    situation: "failed logins only: one that fails is paid for",
    route: () => ({ ...none, limit: "login", settle: ({ status }) => (status < 400 ? 0 : 1) }),
    reply: () => ({ status: 401, body: "wrong" }),
    steps: [{ gets: { status: 401, body: "wrong" } }],
    left: [["login", HERE, 4]],
  },
  {
    situation: "a login that succeeds forgets those that failed",
    route: () => ({
      ...none,
      limit: "login",
      settle: ({ status }) => (status < 400 ? "reset" : undefined),
    }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit("login", { key: HERE, count: 4 }),
        gets: { status: 200 },
      },
    ],
    left: [["login", HERE, 5]],
  },
  {
    situation: "what the handler says was used",
    route: () => ({ ...none, limit: "tokens", count: 50 }),
    reply: async (decision) => {
      await decision?.settle(20);
      return {};
    },
    steps: [{ gets: { status: 200 } }],
    left: [["tokens", HERE, 80]],
  },
  {
    situation: "what the handler says was used, at the end of a stream",
    route: () => ({ ...none, limit: "tokens", count: 50 }),
    reply: (decision) => ({
      body: "some",
      until: Promise.resolve().then(() => decision?.settle(75)),
    }),
    steps: [{ gets: { status: 200, body: "somesome" } }],
    left: [["tokens", HERE, 25]],
  },
  {
    situation: "what the handler says overrides what the route says, and the first time counts",
    route: () => ({ ...none, limit: "tokens", count: 50, settle: () => 1 }),
    reply: (decision) => {
      decision?.settle(30, "tokens");
      decision?.settle(0, "tokens");
      return {};
    },
    steps: [{ gets: { status: 200 } }],
    left: [["tokens", HERE, 70]],
  },
  {
    situation: "more than was taken goes into debt",
    route: () => ({ ...none, limit: "tokens", count: 50, settle: () => 150 }),
    steps: [{ gets: { status: 200 } }],
    after: ({ limiter, notes }) => {
      notes.push(limiter.value("tokens", { key: HERE }));
      expect(notes).toMatchObject([{ remaining: 0, reserved: 50 }]);
    },
  },
  {
    situation: "several limits, each settled by itself",
    route: () => ({
      ...none,
      limits: [
        { limit: "search" },
        { limit: "tokens", count: 10, settle: () => 4 },
        { limit: "login", settle: () => "reset" },
      ],
    }),
    steps: [{ gets: { status: 200 } }],
    left: [
      ["search", HERE, 2],
      ["tokens", HERE, 96],
      ["login", HERE, 5],
    ],
  },
  {
    situation: "one limit under two keys, each settled by itself",
    route: () => ({
      ...none,
      limits: [
        { limit: "tokens", key: "one", count: 10, settle: () => 4 },
        { limit: "tokens", key: "other", count: 10, settle: () => 3 },
      ],
    }),
    steps: [{ gets: { status: 200 } }],
    left: [
      ["tokens", "one", 96],
      ["tokens", "other", 97],
    ],
  },
  {
    situation: "a settle that is promised",
    route: () => ({ ...none, limit: "tokens", count: 10, settle: async () => 4 }),
    steps: [{ gets: { status: 200 } }],
    left: [["tokens", HERE, 96]],
  },
  {
    situation: "a settle that rejects leaves what was taken",
    route: () => ({ ...none, limit: "login", settle: () => Promise.reject(new Error("no idea")) }),
    steps: [{ gets: { status: 200 } }],
    left: [["login", HERE, 4]],
    events: [{ type: "not settled", limit: "login" }],
  },
  {
    situation: "settling on a store that answers later",
    store: "later",
    route: () => ({ ...none, limit: "tokens", count: 10, settle: () => 4 }),
    steps: [{ gets: { status: 200 } }],
    left: [["tokens", HERE, 96]],
  },
  {
    situation: "a refusal is not settled",
    route: () => ({ ...none, limit: "tokens", count: 10, settle: () => 0 }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit("tokens", { key: HERE, count: 95 }),
        gets: { status: 429 },
      },
    ],
    left: [["tokens", HERE, 5]],
  },
  {
    situation: "a settle that throws leaves what was taken",
    route: () => ({
      ...none,
      limit: "login",
      settle: () => {
        throw new Error("no idea");
      },
    }),
    steps: [{ gets: { status: 200 } }],
    left: [["login", HERE, 4]],
    events: [{ type: "not settled", limit: "login" }],
  },
  {
    situation: "a settle that returns NaN leaves what was taken",
    route: () => ({ ...none, limit: "login", settle: () => Number.NaN }),
    steps: [{ gets: { status: 200 } }],
    left: [["login", HERE, 4]],
    events: [{ type: "not settled", limit: "login" }],
  },
  {
    situation: "who goes away before the answer pays in full",
    route: () => ({ ...none, limit: "login", settle: () => 0 }),
    reply: async (_, { gone }) => {
      await gone;
      return {};
    },
    steps: [{ leaves: "before the answer" }],
    left: [["login", HERE, 4]],
  },
  {
    situation: "who goes away in the middle of an answer pays by its status",
    route: () => ({
      ...none,
      limit: "login",
      settle: ({ status, finished }) => (status === 200 && !finished ? 3 : 0),
    }),
    reply: (_, { gone }) => ({ body: "half", until: gone }),
    steps: [{ leaves: "in the answer" }],
    left: [["login", HERE, 2]],
  },
  {
    situation: "a handler that throws is settled by the status of its error",
    route: () => ({ ...none, limit: "login", settle: ({ status }) => (status === 500 ? 2 : 0) }),
    reply: () => {
      throw new Error("broken");
    },
    steps: [{ gets: { status: 500 } }],
    left: [["login", HERE, 3]],
  },
  {
    situation: "in flight while the handler works, and not after",
    route: () => ({ ...none, limit: "reports" }),
    reply: (_, { limiter }) => ({ body: `${limiter.value("reports", { key: HERE }).remaining}` }),
    steps: [
      {
        gets: {
          status: 200,
          headers: {
            "ratelimit-policy": '"reports";q=2;qu="concurrent-requests"',
            ratelimit: '"reports";r=1',
          },
          body: "1",
        },
      },
    ],
    left: [["reports", HERE, 2]],
  },
  {
    situation: "as many in flight as there may be",
    route: () => ({ ...none, limit: "reports" }),
    steps: [
      {
        before: ({ limiter }) => limiter.acquire("reports", { key: HERE, count: 2 }),
        gets: {
          status: 429,
          headers: { ratelimit: '"reports";r=0;t=1', "retry-after": "1" },
        },
      },
    ],
    left: [["reports", HERE, 0]],
  },
  {
    situation: "in flight, and a handler that throws",
    route: () => ({ ...none, limit: "reports" }),
    reply: () => {
      throw new Error("broken");
    },
    steps: [{ gets: { status: 500 } }],
    left: [["reports", HERE, 2]],
  },
  {
    situation: "in flight, and a client that goes away before the answer",
    route: () => ({ ...none, limit: "reports" }),
    reply: async (_, { gone, limiter, notes }) => {
      notes.push(limiter.value("reports", { key: HERE }).remaining);
      await gone;
      notes.push(limiter.value("reports", { key: HERE }).remaining);
      return {};
    },
    steps: [{ leaves: "before the answer" }],
    left: [["reports", HERE, 2]],
    after: ({ notes }) => expect(notes).toEqual([1, 2]),
  },
  {
    situation: "in flight, and a client that goes away in the middle of the answer",
    route: () => ({ ...none, limit: "reports" }),
    reply: (_, { gone }) => ({ body: "half", until: gone }),
    steps: [{ leaves: "in the answer" }],
    left: [["reports", HERE, 2]],
  },
  {
    situation: "in flight until a stream is over",
    store: "later",
    route: () => ({ ...none, limits: [{ limit: "reports" }, { limit: "search" }] }),
    reply: (_, { limiter, notes }) => ({
      body: "half",
      until: Promise.resolve().then(() =>
        notes.push(limiter.value("reports", { key: HERE }).remaining),
      ),
    }),
    steps: [{ gets: { status: 200, body: "halfhalf" } }],
    left: [
      ["reports", HERE, 2],
      ["search", HERE, 2],
    ],
    after: ({ notes }) => expect(notes).toEqual([1]),
  },
  {
    situation: "in flight together with a rate that refuses",
    route: () => ({ ...none, limits: [{ limit: "reports" }, { limit: "search", count: 4 }] }),
    steps: [{ gets: { status: 429, headers: { ratelimit: '"search";r=3' } } }],
    left: [
      ["reports", HERE, 2],
      ["search", HERE, 3],
    ],
  },
  {
    situation: "in flight, and HEAD",
    route: () => ({ ...none, limit: "reports" }),
    steps: [{ method: "HEAD", gets: { status: 200, body: "" } }],
    left: [["reports", HERE, 2]],
  },
  {
    situation: "in flight, and an answer without a body",
    route: () => ({ ...none, limit: "reports" }),
    reply: () => ({ status: 204, body: "" }),
    steps: [{ gets: { status: 204, body: "" } }],
    left: [["reports", HERE, 2]],
  },
];
