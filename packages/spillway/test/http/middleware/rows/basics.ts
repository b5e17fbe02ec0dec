import { HERE, HOSTILE, type Row } from "../row.ts";

const search = () => ({ limit: "search", partitionKey: false }) as const;
const spend =
  (count: number) =>
  ({ limiter }: Parameters<NonNullable<Row["steps"][0]["before"]>>[0]) =>
    limiter.limit("search", { key: HERE, count });

export const PROBLEM = {
  type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
  title: "Request cannot be satisfied as assigned quota has been exceeded",
  status: 429,
};

const problem = (detail: string, ...policies: string[]) =>
  JSON.stringify({ ...PROBLEM, detail, "violated-policies": policies });

/** What is taken, what is refused, and in which headers a client learns it. */
export const basics: readonly Row[] = [
  {
    situation: "the first of three",
    route: search,
    steps: [
      {
        gets: {
          status: 200,
          headers: {
            "ratelimit-policy": '"search";q=3;w=60',
            ratelimit: '"search";r=2;t=20',
            "retry-after": null,
          },
          body: "ok",
        },
      },
    ],
    left: [["search", HERE, 2]],
  },
  {
    situation: "the last of three",
    route: search,
    steps: [
      { before: spend(2), gets: { status: 200, headers: { ratelimit: '"search";r=0;t=60' } } },
    ],
    left: [["search", HERE, 0]],
  },
  {
    situation: "one too many",
    route: search,
    steps: [
      {
        before: spend(3),
        gets: {
          status: 429,
          headers: {
            "ratelimit-policy": '"search";q=3;w=60',
            ratelimit: '"search";r=0;t=20',
            "retry-after": "20",
            "cache-control": "no-store",
            "content-type": "application/problem+json",
          },
          body: problem("Try again in 20 seconds.", "search"),
        },
      },
    ],
    left: [["search", HERE, 0]],
    events: [{ type: "refused", shadow: false }],
  },
  {
    situation: "one too many, a millisecond too early",
    route: search,
    steps: [
      {
        before: (world) => {
          spend(3)(world);
          world.clock.advance(19_999);
        },
        gets: {
          status: 429,
          headers: { "retry-after": "1", ratelimit: '"search";r=0;t=1' },
          body: problem("Try again in 1 second.", "search"),
        },
      },
    ],
  },
  {
    situation: "who comes back after Retry-After is let in",
    route: search,
    steps: [
      { before: spend(3), gets: { status: 429, headers: { "retry-after": "20" } } },
      { before: ({ clock }) => clock.advance(20_000), gets: { status: 200 } },
    ],
  },
  {
    situation: "a count",
    route: () => ({ ...search(), count: 2 }),
    steps: [{ gets: { status: 200, headers: { ratelimit: '"search";r=1;t=40' } } }],
    left: [["search", HERE, 1]],
  },
  {
    situation: "a count of the request",
    route: (read) => ({ ...search(), count: (request) => Number(read(request, "x-count")) }),
    steps: [{ headers: { "x-count": "3" }, gets: { status: 200 } }],
    left: [["search", HERE, 0]],
  },
  {
    situation: "a count that is promised",
    route: (read) => ({ ...search(), count: async (request) => Number(read(request, "x-count")) }),
    steps: [{ headers: { "x-count": "2" }, gets: { status: 200 } }],
    left: [["search", HERE, 1]],
  },
  {
    situation: "more than the limit can hold, for which no wait helps",
    route: () => ({ ...search(), count: 4 }),
    steps: [
      {
        gets: {
          status: 429,
          headers: { "retry-after": null, ratelimit: '"search";r=3' },
          body: problem("Trying again later does not help.", "search"),
        },
      },
    ],
    left: [["search", HERE, 3]],
  },
  {
    situation: "a key that was blocked by hand",
    route: search,
    steps: [
      {
        before: ({ limiter }) => limiter.block("search", { key: HERE, for: "10m" }),
        gets: {
          status: 429,
          headers: { "retry-after": "600", ratelimit: '"search";r=0;t=600' },
          body: JSON.stringify({
            type: "https://iana.org/assignments/http-problem-types#abnormal-usage-detected",
            title: "Request not satisfied due to detection of abnormal request pattern",
            status: 429,
            detail: "Try again in 600 seconds.",
            "violated-policies": ["search"],
          }),
        },
      },
    ],
  },
  {
    situation: "a period that is no whole number of seconds",
    route: () => ({ limit: "odd", partitionKey: false }),
    steps: [{ gets: { status: 200, headers: { "ratelimit-policy": '"odd";q=6;w=3' } } }],
  },
  {
    situation: "a limit with a name that breaks headers",
    route: () => ({ limit: HOSTILE, partitionKey: false }),
    steps: [
      {
        before: ({ limiter }) => limiter.limit(HOSTILE, { key: HERE, count: 3 }),
        gets: {
          status: 429,
          headers: {
            x: null,
            ratelimit: '"a%22; DROP%0D%0AX: y=1 %25%C3%A9";r=0;t=20',
          },
          body: problem("Try again in 20 seconds.", "a%22; DROP%0D%0AX: y=1 %25%C3%A9"),
        },
      },
    ],
  },
  {
    situation: "HEAD, admitted",
    route: search,
    steps: [
      {
        method: "HEAD",
        gets: { status: 200, headers: { ratelimit: '"search";r=2;t=20' }, body: "" },
      },
    ],
    left: [["search", HERE, 2]],
  },
  {
    situation: "HEAD, refused: headers as of GET, and no body",
    route: search,
    steps: [
      {
        method: "HEAD",
        before: spend(3),
        gets: { status: 429, headers: { "retry-after": "20" }, body: "" },
      },
    ],
  },
  {
    situation: "a preflight, which anybody can send to a handler that serves every method",
    route: search,
    steps: [
      {
        method: "OPTIONS",
        headers: { origin: "https://a.example", "access-control-request-method": "POST" },
        gets: { status: 200, headers: { ratelimit: '"search";r=2;t=20' } },
      },
    ],
    left: [["search", HERE, 2]],
  },
  {
    situation: "OPTIONS that is no preflight",
    route: search,
    steps: [{ method: "OPTIONS", gets: { status: 200 } }],
    left: [["search", HERE, 2]],
  },
  {
    situation: "a request to skip",
    route: (read) => ({ ...search(), skip: (request) => read(request, "x-user") === "admin" }),
    steps: [
      { headers: { "x-user": "admin" }, gets: { status: 200, headers: { ratelimit: null } } },
      { headers: { "x-user": "other" }, gets: { status: 200 } },
    ],
    left: [["search", HERE, 2]],
  },
  {
    situation: "a request to skip, as is promised",
    route: (read) => ({
      ...search(),
      skip: async (request) => read(request, "x-user") === "admin",
    }),
    steps: [
      { headers: { "x-user": "admin" }, gets: { status: 200 } },
      { headers: { "x-user": "other" }, gets: { status: 200 } },
    ],
    left: [["search", HERE, 2]],
  },
  {
    situation: "the decision is on the request",
    route: search,
    reply: (decision) => ({ body: `${decision?.decision?.remaining} left` }),
    steps: [{ gets: { status: 200, body: "2 left" } }],
  },
  {
    situation: "no limit at all",
    route: () => ({ limits: [] }),
    steps: [{ gets: { status: 200, headers: { ratelimit: null }, body: "ok" } }],
  },
  {
    situation: "a store that answers later",
    store: "later",
    route: search,
    steps: [
      { gets: { status: 200, headers: { ratelimit: '"search";r=2;t=20' } } },
      { before: spend(2), gets: { status: 429, headers: { "retry-after": "20" } } },
    ],
  },
];
