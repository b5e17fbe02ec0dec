/** What servers say of limits, form by form; and that nothing they can say breaks a client. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAdvice } from "../../src/client/index.ts";
import { HEADER_FORMS, policyOf, rateLimitHeaders } from "../../src/http/headers/index.ts";
import { runs } from "../runs.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const EPOCH = NOW / 1000;
const DAYS_366 = 366 * 24 * 3_600_000;

function advice(headers: { readonly [name: string]: string }, now = NOW) {
  return readAdvice(new Headers(headers), now);
}

describe("Retry-After", () => {
  test.each<[said: { readonly [name: string]: string }, ms: number | undefined]>([
    [{ "Retry-After": "30" }, 30_000],
    [{ "Retry-After": " 1.5 " }, 1500],
    [{ "Retry-After": "0" }, 0],
    [{ "Retry-After": "Thu, 01 Jan 2026 12:00:07 GMT" }, 7000],
    [{ "Retry-After": "Thursday, 01-Jan-26 12:00:07 GMT" }, 7000],
    [{ "Retry-After": "Thu Jan  1 12:00:07 2026" }, 7000],
    [{ "Retry-After": "2026-01-01T13:00:07+01:00" }, 7000],
    // By the server's own clock, which is an hour ahead.
    [
      { "Retry-After": "Thu, 01 Jan 2026 13:00:07 GMT", Date: "Thu, 01 Jan 2026 13:00:00 GMT" },
      7000,
    ],
    [{ "Retry-After": String(EPOCH + 7) }, 7000],
    [{ "Retry-After": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
    [{ "Retry-After": "99999999999" }, DAYS_366],
    [{ "Retry-After": "9".repeat(60) }, DAYS_366],
    // Seconds, and no instant in 2001, or in a year and a half.
    [{ "Retry-After": "1000000000" }, DAYS_366],
    [{ "Retry-After": String(EPOCH + 50_000_000) }, DAYS_366],
    [{ "Retry-After": String((EPOCH + 7) * 1000) }, 7000],
    [{ "Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT" }, DAYS_366],
    // Two lines, the second of a proxy.
    [{ "Retry-After": "5, 10" }, 10_000],
    [{ "Retry-After": "30,2.5 , 7" }, 30_000],
    [{ "Retry-After": "5, soon" }, undefined],
    [{ "Retry-After": "5," }, undefined],
    [{ "Retry-After": "-1" }, undefined],
    [{ "Retry-After": "NaN" }, undefined],
    [{ "Retry-After": "Infinity" }, undefined],
    [{ "Retry-After": "1e3" }, undefined],
    [{ "Retry-After": "" }, undefined],
    [{ "Retry-After": "soon" }, undefined],
    [{ "Retry-After": "Thu, 99 Jan 2026" }, undefined],
    [{ "retry-after-ms": "250", "Retry-After": "1" }, 250],
    [{ "retry-after-ms": "-250", "Retry-After": "1" }, 1000],
    [{ "X-RateLimit-Retry-After": "3" }, 3000],
    [{ Date: "nonsense", "Retry-After": "Thu, 01 Jan 2026 12:00:07 GMT" }, 7000],
    [{}, undefined],
  ])("%o is %s ms", (said, ms) => {
    expect(advice(said).retryAfter).toBe(ms);
  });
});

const REQUESTS = { name: "requests", unit: "requests", period: undefined, resolution: 1000 };

describe("what is left", () => {
  test.each<[form: string, said: { readonly [name: string]: string }, quotas: readonly object[]]>([
    [
      "the present draft",
      {
        "RateLimit-Policy": '"burst";q=100;w=60,"daily";q=1000;w=86400',
        RateLimit: '"burst";r=50;t=30',
      },
      [
        {
          ...REQUESTS,
          name: "burst",
          capacity: 100,
          period: 60_000,
          remaining: 50,
          resetAfter: 30_000,
        },
      ],
    ],
    [
      "the present draft, several of them, with partition keys and parameters of others",
      {
        "RateLimit-Policy":
          '"a";q=5;w=1;pk=:cHsdsRa894==:;acme-x="y;z", "b \\"c\\"";q=7;qu="content-bytes"',
        RateLimit: '"a";r=4;pk=:cHsdsRa894==: , "b \\"c\\"";r=0;t=9',
      },
      [
        {
          ...REQUESTS,
          name: "a",
          capacity: 5,
          period: 1000,
          remaining: 4,
          resetAfter: undefined,
          resolution: 0,
        },
        {
          ...REQUESTS,
          name: 'b "c"',
          unit: "content-bytes",
          capacity: 7,
          remaining: 0,
          resetAfter: 9000,
        },
      ],
    ],
    ["a t without r", { RateLimit: '"a";t=5' }, []],
    [
      "a t that is no whole number",
      { RateLimit: '"a";r=1;t=5.2' },
      [{ ...REQUESTS, name: "a", capacity: undefined, remaining: 1, resetAfter: 5200 }],
    ],
    ["a negative r", { RateLimit: '"a";r=-5;t=5' }, []],
    [
      "a member that is cut short",
      { RateLimit: '"a";r=5;t=5,"b' },
      [{ ...REQUESTS, name: "a", capacity: undefined, remaining: 5, resetAfter: 5000 }],
    ],
    [
      "draft 7",
      { RateLimit: "limit=100, remaining=50, reset=5", "RateLimit-Policy": "100;w=10" },
      [{ ...REQUESTS, capacity: 100, period: 10_000, remaining: 50, resetAfter: 5000 }],
    ],
    [
      "draft 6",
      {
        "RateLimit-Limit": "100",
        "RateLimit-Remaining": "50",
        "RateLimit-Reset": "5",
        "RateLimit-Policy": "10;w=1, 100;w=60",
      },
      [{ ...REQUESTS, capacity: 100, period: 60_000, remaining: 50, resetAfter: 5000 }],
    ],
    [
      "draft 3, with its policies in the limit",
      {
        "RateLimit-Limit": "10, 10;w=1, 50;w=60",
        "RateLimit-Remaining": "9",
        "RateLimit-Reset": "1",
      },
      [{ ...REQUESTS, capacity: 10, period: 1000, remaining: 9, resetAfter: 1000 }],
    ],
    [
      "GitHub: seconds since 1970",
      {
        "X-RateLimit-Limit": "5000",
        "X-RateLimit-Remaining": "4999",
        "X-RateLimit-Reset": String(EPOCH + 3600),
        "X-RateLimit-Resource": "core",
        "X-RateLimit-Used": "1",
        Date: new Date(NOW).toUTCString(),
      },
      [{ ...REQUESTS, name: "core", capacity: 5000, remaining: 4999, resetAfter: 3_600_000 }],
    ],
    [
      "milliseconds since 1970",
      { "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": String(NOW + 1234) },
      [{ ...REQUESTS, capacity: undefined, remaining: 1, resetAfter: 1234 }],
    ],
    [
      "seconds from now",
      { "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "42" },
      [{ ...REQUESTS, capacity: 10, remaining: 1, resetAfter: 42_000 }],
    ],
    [
      "X-Rate-Limit",
      {
        "X-Rate-Limit-Limit": "15",
        "X-Rate-Limit-Remaining": "3",
        "X-Rate-Limit-Reset": String(EPOCH + 9),
      },
      [{ ...REQUESTS, capacity: 15, remaining: 3, resetAfter: 9000 }],
    ],
    [
      "OpenAI",
      {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-limit-tokens": "150000",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "6m0s",
      },
      [
        { ...REQUESTS, capacity: 60, remaining: 59, resetAfter: 1000, resolution: 1 },
        {
          ...REQUESTS,
          name: "tokens",
          unit: "tokens",
          capacity: 150_000,
          remaining: 0,
          resetAfter: 360_000,
          resolution: 1,
        },
      ],
    ],
    [
      "durations with hours and milliseconds",
      { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1h2m3.5s20ms" },
      [{ ...REQUESTS, capacity: undefined, remaining: 0, resetAfter: 3_723_520, resolution: 1 }],
    ],
    [
      "Anthropic: dates",
      {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2026-01-01T12:00:30Z",
      },
      [{ ...REQUESTS, capacity: 50, remaining: 49, resetAfter: 30_000 }],
    ],
    ["a cached answer", { RateLimit: '"a";r=5;t=5', Age: "12" }, []],
    [
      "words instead of numbers",
      { "X-RateLimit-Limit": "many", "X-RateLimit-Remaining": "some" },
      [],
    ],
  ])("%s", (_, said, quotas) => {
    expect(advice(said).quotas).toEqual(quotas);
  });

  test.each(HEADER_FORMS.filter((form) => form !== "x-ratelimit-retry-after"))(
    "our own form %s is read as it was meant",
    (form) => {
      const policy = policyOf('a "limit"', { kind: "fixed window", rate: 60, period: "1m" });
      const standing = { policy, remaining: 7, wait: 30_000, partition: "abcd" };
      const written = rateLimitHeaders(form, {
        limits: [standing],
        retryAfter: undefined,
        now: () => NOW,
      });
      const [quota] = readAdvice(new Headers(written as [string, string][]), NOW).quotas;
      expect(quota).toMatchObject({ capacity: 60, remaining: 7, resetAfter: 30_000 });
    },
  );
});

describe("whatever a server sends", () => {
  const names = [
    "retry-after",
    "retry-after-ms",
    "date",
    "age",
    "ratelimit",
    "ratelimit-policy",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-ratelimit-reset-requests",
    "x-ratelimit-remaining-requests",
  ];
  const pieces = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '"a"',
      ";r=",
      ";t=",
      ";q=1e9",
      "-1",
      "9".repeat(40),
      ":=:",
      ",",
      "6m0s",
      "NaN",
      "\\",
    ),
    fc.integer().map(String),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  const value = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

  test("is read without an error, as numbers in their ranges", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), fc.nat(), (said, now) => {
        const { retryAfter, quotas } = readAdvice({ get: (name) => said[name] ?? null }, now);
        for (const ms of [retryAfter, ...quotas.map(({ resetAfter }) => resetAfter)]) {
          if (ms === undefined) continue;
          expect(Number.isInteger(ms) && ms >= 0 && ms <= DAYS_366).toBe(true);
        }
        for (const { remaining, capacity, period } of quotas) {
          expect(Number.isInteger(remaining) && remaining >= 0).toBe(true);
          for (const each of [capacity, period]) expect(each ?? 0).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("is read in a time that does not grow with what it repeats", () => {
    const long = '"a";r=1;'.repeat(100_000);
    expect(advice({ RateLimit: long }).quotas.length).toBeLessThan(65);
  });
});
