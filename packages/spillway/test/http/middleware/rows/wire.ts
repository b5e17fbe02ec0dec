import { HERE, type Row, type World } from "../row.ts";

const none = { partitionKey: false } as const;
const exhausted = { ...none, limit: "search" } as const;
const spend = ({ limiter }: World) => limiter.limit("search", { key: HERE, count: 3 });

const TITLE = "Request cannot be satisfied as assigned quota has been exceeded";
const TEXT = `${TITLE}\nTry again in 20 seconds.\n`;
const HTML =
  `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${TITLE}</title>` +
  `<h1>${TITLE}</h1><p>Try again in 20 seconds.</p></html>\n`;

const JSON_TYPE = "application/problem+json";
const HTML_TYPE = "text/html; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** A refusal to a client that accepts some types. */
const accepting = (accept: string, type: string, body?: string, name = accept): Row => ({
  situation: `a refusal to who accepts ${name}`,
  route: () => exhausted,
  steps: [
    {
      before: spend,
      headers: { accept },
      gets: {
        status: 429,
        headers: { "content-type": type },
        ...(body !== undefined && { body }),
      },
    },
  ],
});

/** In which words, and which headers. */
export const wire: readonly Row[] = [
  accepting("application/json", JSON_TYPE),
  accepting("application/json, text/plain, */*", JSON_TYPE),
  accepting("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", HTML_TYPE, HTML),
  accepting("text/plain", TEXT_TYPE, TEXT),
  accepting("text/plain;q=0.5, text/html;q=0.4, application/json;q=0.1", TEXT_TYPE, TEXT),
  accepting("text/html;q=0, */*;q=0.1", JSON_TYPE),
  accepting("image/png", JSON_TYPE),
  accepting(`${"x/y,".repeat(2000)}text/html`, JSON_TYPE, undefined, "8 kB of types"),
  accepting(";;q=,,=", JSON_TYPE),
  {
    situation: "the headers of draft 6",
    route: () => ({ ...none, limit: "search", headers: "draft-6" }),
    steps: [
      {
        gets: {
          status: 200,
          headers: {
            ratelimit: null,
            "ratelimit-limit": "3",
            "ratelimit-remaining": "2",
            "ratelimit-reset": "20",
            "ratelimit-policy": "3;w=60",
          },
        },
      },
    ],
  },
  {
    situation: "X-RateLimit headers with seconds",
    route: () => ({ ...none, limit: "search", headers: "x-ratelimit" }),
    steps: [
      {
        gets: {
          status: 200,
          headers: {
            "ratelimit-policy": null,
            "x-ratelimit-limit": "3",
            "x-ratelimit-remaining": "2",
            "x-ratelimit-reset": "20",
          },
        },
      },
    ],
  },
  {
    situation: "X-Ratelimit-Retry-After, with a refusal only",
    route: () => ({ ...none, limit: "search", count: 3, headers: "x-ratelimit-retry-after" }),
    steps: [
      {
        gets: {
          status: 200,
          headers: { "x-ratelimit-remaining": "0", "x-ratelimit-retry-after": null },
        },
      },
      {
        gets: {
          status: 429,
          headers: {
            "x-ratelimit-limit": "3",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": null,
            "x-ratelimit-retry-after": "60",
            "retry-after": "60",
          },
        },
      },
    ],
  },
  {
    situation: "several forms of headers",
    route: () => ({ ...none, limit: "search", headers: ["draft", "x-ratelimit"] }),
    steps: [
      {
        gets: {
          status: 200,
          headers: { ratelimit: '"search";r=2;t=20', "x-ratelimit-remaining": "2" },
        },
      },
    ],
  },
  {
    situation: "the older forms tell of the limit that decided",
    route: () => ({
      ...none,
      limits: [{ limit: "search" }, { limit: "daily" }],
      headers: "x-ratelimit",
    }),
    steps: [
      {
        gets: { status: 200, headers: { "x-ratelimit-limit": "2", "x-ratelimit-remaining": "1" } },
      },
      {
        before: ({ limiter }) => limiter.limit("search", { key: HERE, count: 2 }),
        gets: {
          status: 429,
          headers: {
            "x-ratelimit-limit": "3",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": "20",
          },
        },
      },
    ],
  },
  {
    situation: "no headers but Retry-After",
    route: () => ({ ...none, limit: "search", count: 3, headers: [] }),
    steps: [
      { gets: { status: 200, headers: { ratelimit: null, "ratelimit-policy": null } } },
      { gets: { status: 429, headers: { ratelimit: null, "retry-after": "60" } } },
    ],
  },
  {
    situation: "a request of another origin, whose scripts may read the headers",
    route: () => exhausted,
    steps: [
      {
        headers: { origin: "https://a.example" },
        gets: {
          status: 200,
          headers: {
            "access-control-expose-headers": "Retry-After, RateLimit-Policy, RateLimit",
          },
        },
      },
      { gets: { status: 200, headers: { "access-control-expose-headers": null } } },
    ],
  },
  {
    situation: "a refusal to another origin",
    route: () => ({ ...exhausted, headers: "x-ratelimit-epoch" }),
    steps: [
      {
        before: spend,
        headers: { origin: "https://a.example" },
        gets: {
          status: 429,
          headers: {
            "access-control-expose-headers":
              "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
          },
        },
      },
    ],
  },
];
