import { expect } from "vitest";
import type { AnyRequest } from "../host.ts";
import { HERE, type Row } from "../row.ts";

const none = { partitionKey: false } as const;

const fails = (): never => {
  throw new Error("secret of the program");
};
const rejects = async (): Promise<never> => fails();
const hangs = () => new Promise<never>(() => {});

const SERVER_ERROR = JSON.stringify({
  type: "about:blank",
  title: "Internal Server Error",
  status: 500,
  detail: "The request could not be checked.",
});

const REDUCED = {
  type: "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",
  title: "Request cannot be satisfied due to temporary server capacity constraints",
  status: 503,
};

const refused500 = {
  status: 500,
  headers: { ratelimit: null, "retry-after": null, "cache-control": "no-store" },
  body: SERVER_ERROR,
} as const;

const failed = (field: string) => [{ type: "failed", field }] as const;
const untouched = [["search", HERE, 3]] as const;

/** Each framework has it at its own place. */
const readBody = (request: AnyRequest) => (request.request ?? request).body.email;

const refused400 = {
  ...refused500,
  status: 400,
  body: JSON.stringify({
    type: "about:blank",
    title: "Bad Request",
    status: 400,
    detail: "The body of the request is missing, or lacks a required field.",
  }),
};

type Fields = { readonly [field: string]: unknown };

/** A function of the route that can't be used: 500, nothing charged, and an event. */
const failing = (situation: string, field: string, fields: Fields): Row => ({
  situation,
  route: () => ({ ...none, limit: "search", ...fields }),
  steps: [{ gets: refused500 }],
  left: untouched,
  events: failed(field),
});

/** What fails, and what is answered then. */
export const failures: readonly Row[] = [
  failing("a key that throws", "key", { key: fails }),
  failing("a key that rejects", "key", { key: rejects }),
  failing("a part of a key that is NaN", "key", { key: ["user", () => Number.NaN] }),
  failing("a part of a key that is an object, as of a body that somebody made up", "key", {
    key: () => ({ toString: "x" }),
  }),
  failing("a key of no parts", "key", { key: () => [] }),
  {
    situation: "a key that reads a body which was not sent",
    route: () => ({ ...none, limit: "search", key: readBody, whenFailed: "open" }),
    steps: [{ gets: refused400 }, { method: "POST", gets: refused400 }],
    left: untouched,
    events: [...failed("key"), ...failed("key")],
  },
  {
    situation: "a key that reads a body which lacks the field",
    route: () => ({ ...none, limit: "search", key: ["login", readBody] }),
    steps: [
      { sends: "{}", gets: refused400 },
      { sends: '{"email":{}}', gets: refused400 },
    ],
    events: [...failed("key"), ...failed("key")],
  },
  {
    situation: "a key that reads a body",
    route: () => ({ ...none, limit: "search", key: [readBody, async (one) => readBody(one)] }),
    steps: [{ sends: '{"email":"ada"}', gets: { status: 200 } }],
    left: [["search", "ada|ada", 2]],
  },
  failing("a count that throws", "count", { count: fails }),
  failing("a count that is not found", "count", { count: () => undefined }),
  failing("a count that is NaN", "count", { count: () => Number.NaN }),
  failing("a count that is negative", "count", { count: () => -1 }),
  failing("a count of a fraction", "count", { count: async () => 0.5 }),
  failing("a plan that rejects", "config", { config: rejects }),
  failing("a plan that is none", "kind", { config: () => ({ kind: "bucket" }) }),
  failing("a skip that throws", "skip", { skip: fails }),
  {
    situation: "one of two limits whose count is NaN: neither is charged",
    route: () => ({
      ...none,
      limits: [{ limit: "search" }, { limit: "daily", count: () => Number.NaN }],
    }),
    steps: [{ gets: refused500 }],
    left: untouched,
    events: failed("count"),
  },
  {
    situation: "a key that never comes",
    route: () => ({ ...none, limit: "search", timeout: 5, key: hangs }),
    steps: [
      {
        gets: {
          status: 503,
          headers: { "retry-after": "1", ratelimit: null, "cache-control": "no-store" },
          body: JSON.stringify({ ...REDUCED, detail: "The request could not be checked in time." }),
        },
      },
    ],
    left: untouched,
    events: [{ type: "timed out", field: "key" }],
  },
  {
    situation: "a plan that never comes, where failures are let pass",
    route: () => ({ ...none, limit: "search", timeout: 5, whenFailed: "open", config: hangs }),
    steps: [{ gets: { status: 200, headers: { ratelimit: null }, body: "ok" } }],
    left: untouched,
    events: [{ type: "timed out", field: "config" }],
  },
  {
    situation: "a key that throws, where failures are let pass",
    route: () => ({ ...none, limit: "search", whenFailed: "open", key: fails }),
    steps: [{ gets: { status: 200, headers: { ratelimit: null }, body: "ok" } }],
    left: untouched,
    events: failed("key"),
  },
  {
    situation: "a failure that nobody listens for",
    route: () => ({ ...none, limit: "search", key: fails, onEvent: undefined as never }),
    steps: [{ gets: refused500 }, { gets: refused500 }],
    warnings: ["key of a route failed"],
  },
  {
    situation: "a listener that throws",
    route: () => ({ ...none, limit: "search", key: fails, onEvent: fails }),
    steps: [{ gets: refused500 }],
  },
  {
    situation: "a failure is thrown to the framework",
    route: () => ({ ...none, limit: "search", key: fails, throws: true }),
    steps: [{ gets: { status: 500, headers: { ratelimit: null } } }],
    left: untouched,
    events: failed("key"),
  },
  {
    situation: "a failure that is no error is thrown to the framework as one",
    route: () => ({ ...none, limit: "search", key: () => Promise.reject(), throws: true }),
    steps: [{ gets: { status: 500, headers: { ratelimit: null } } }],
    left: untouched,
    events: failed("key"),
  },
  {
    situation: "a refusal is thrown to the framework",
    route: () => ({ ...none, limit: "search", count: 2, throws: true }),
    steps: [
      { gets: { status: 200 } },
      {
        gets: {
          status: 429,
          headers: {
            "retry-after": "20",
            "cache-control": "no-store",
            ratelimit: '"search";r=1;t=20',
          },
        },
      },
    ],
    left: [["search", HERE, 1]],
  },
  {
    situation: "a refusal that is answered in one's own words",
    route: () => ({ ...none, limit: "search", count: 2, ownAnswer: "not so fast" }),
    steps: [
      { gets: { status: 200 } },
      {
        gets: {
          status: 429,
          headers: { "retry-after": "20", ratelimit: '"search";r=1;t=20' },
          body: "not so fast",
        },
      },
    ],
  },
  {
    situation: "in shadow everybody is served, and nothing is told",
    route: () => ({ ...none, limit: "search", count: 2, shadow: true }),
    steps: [
      { gets: { status: 200, headers: { ratelimit: null } } },
      { gets: { status: 200, headers: { ratelimit: null, "retry-after": null }, body: "ok" } },
    ],
    left: [["search", HERE, 1]],
    events: [{ type: "refused", shadow: true }],
  },
  {
    situation: "in shadow, a key that throws",
    route: () => ({ ...none, limit: "search", shadow: true, key: fails }),
    steps: [{ gets: { status: 200, body: "ok" } }],
    left: untouched,
    events: failed("key"),
  },
  {
    situation: "a store that is away, and a limit that is closed then",
    store: "away",
    route: () => ({ ...none, limit: "search" }),
    steps: [
      {
        gets: {
          status: 503,
          headers: { "retry-after": "1", ratelimit: null, "ratelimit-policy": null },
          body: JSON.stringify({ ...REDUCED, detail: "Try again in 1 second." }),
        },
      },
    ],
    left: untouched,
    events: [{ type: "refused", shadow: false }],
  },
  {
    situation: "a store that is away, and a limit that is open then",
    store: "away",
    route: () => ({ ...none, limit: "smooth", settle: () => 0 }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit("smooth", { key: HERE, count: 2 }),
        gets: { status: 200, headers: { ratelimit: null, "ratelimit-policy": null }, body: "ok" },
      },
    ],
    // What was not taken is not given back.
    left: [["smooth", HERE, 1]],
    events: [],
  },
  {
    situation: "a store that is away, of two limits one of which is closed then",
    store: "away",
    route: () => ({ ...none, limits: [{ limit: "smooth" }, { limit: "search" }] }),
    steps: [{ gets: { status: 503, headers: { "retry-after": "1", ratelimit: null } } }],
  },
  {
    situation: "a store that gives no answer: what it takes later is given back",
    store: "slow",
    route: () => ({ ...none, limit: "search", timeout: 5 }),
    steps: [{ gets: { status: 503, headers: { "retry-after": "1", ratelimit: null } } }],
    after: async ({ limiter, release }) => {
      expect(limiter.value("search", { key: HERE }).remaining).toBe(2);
      release();
      await new Promise(setImmediate);
      expect(limiter.value("search", { key: HERE }).remaining).toBe(3);
    },
    events: [{ type: "timed out", field: "store" }],
    warnings: ["deadline"],
  },
  {
    situation: "a store that gives no answer: a failure that is let pass is one of functions",
    store: "slow",
    route: () => ({ ...none, limit: "search", timeout: 5, whenFailed: "open" }),
    steps: [{ gets: { status: 503 } }],
    events: [{ type: "timed out", field: "store" }],
    warnings: ["deadline"],
  },
];
