/** A refusal that is thrown in a handler: what strangers are answered, by real frameworks over sockets. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Decision } from "../../../src/index.ts";
import { MINUTE, RateLimitError, RateLimiter } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { fresh } from "../../fresh.ts";
import { away, later } from "../../limiter/later.ts";
import { FRAMEWORKS, serving } from "./servers.ts";

const KEY = "tenant 7 of somebody else";
const LIMITED = 'limit "search": refused (limited): try again in 20000 ms';

const LIMITS = {
  search: { kind: "token bucket", rate: 3, period: MINUTE },
  export: { kind: "fixed window", rate: 2, period: 1500, start: 0 },
} as const;

/** What a refusal is of which only the reason matters. */
const refusal = (reason: Decision["reason"], retryAfter: number): Decision => ({
  ok: false,
  limit: "search",
  capacity: 3,
  remaining: 0,
  retryAfter,
  resetAfter: retryAfter,
  reason,
  degraded: undefined,
});

let logged: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } };
beforeEach(() => {
  logged = vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(FRAMEWORKS))("%s", (name, framework) => {
  async function answerTo(handler: () => void | Promise<void>) {
    return serving(await framework(handler), async (url) => {
      const response = await fetch(url);
      const { status, headers } = response;
      return { status, wait: headers.get("retry-after"), body: await response.text() };
    });
  }

  test("answers a refusal with 429 and Retry-After, and names no key", async () => {
    const { limiter } = fresh(LIMITS);
    limiter.limit("search", { key: KEY, count: 3 });
    const answer = await answerTo(() => {
      limiter.limit("search", { key: KEY, throws: true });
    });
    expect([answer.status, answer.wait]).toEqual([429, "20"]);
    expect(answer.body).toContain(
      name.startsWith("express") ? "Too Many Requests" : name === "fastify" ? '"limited"' : LIMITED,
    );
    expect(answer.body).not.toContain(KEY);
    expect(answer.body).not.toContain("    at ");
  });

  test("answers that the store is away with 503", async () => {
    const limiter = new RateLimiter(LIMITS, { store: away(memoryStore()) });
    const answer = await answerTo(async () => {
      await limiter.limit("search", { key: KEY, throws: true });
    });
    expect([answer.status, answer.wait]).toEqual([503, "1"]);
    expect(answer.body).toContain("Service Unavailable");
    expect(answer.body).not.toContain(KEY);
  });

  test("answers a promised refusal, and several limits together, the same way", async () => {
    const clock = manualClock();
    const limiter = new RateLimiter(LIMITS, { store: later(memoryStore({ clock })) });
    await limiter.limit("search", { key: KEY, count: 3 });
    const answer = await answerTo(async () => {
      await limiter.limitAll(
        [
          { limit: "export", key: KEY },
          { limit: "search", key: KEY },
        ],
        {
          throws: true,
        },
      );
    });
    expect([answer.status, answer.wait]).toEqual([429, "20"]);
  });

  test("says nothing of when to come back where no wait helps", async () => {
    const { limiter } = fresh(LIMITS);
    const answer = await answerTo(() => {
      limiter.limit("search", { key: KEY, count: 4, throws: true });
    });
    expect([answer.status, answer.wait]).toEqual([429, null]);
  });

  test("answers a mistake in the program with 500 as ever", async () => {
    const { limiter } = fresh(LIMITS);
    const answer = await answerTo(() => {
      limiter.limit("search", { key: 7 as never });
    });
    expect(answer.status).toBe(500);
  });

  test("keeps its log free of refusals where it looks at `expose`", async () => {
    const { limiter } = fresh(LIMITS);
    await answerTo(() => {
      limiter.limit("search", { key: KEY, count: 4, throws: true });
    });
    // Express logs every error that nothing handles, whatever it says.
    expect(logged.mock.calls.length > 0).toBe(name.startsWith("express"));
  });
});

describe("a RateLimitError", () => {
  test.each([
    ["limited", 429, "limited"],
    ["too large", 429, "limited"],
    ["blocked", 429, "limited"],
    ["shed", 503, "shed"],
    ["unavailable", 503, "unavailable"],
  ] as const)("for what is %s has the status %i and the code %s", (reason, status, code) => {
    const error = new RateLimitError(refusal(reason, 100));
    expect(error).toMatchObject({ status, statusCode: status, expose: status === 429, code });
  });

  test.each([
    [1, "1"],
    [999, "1"],
    [1000, "1"],
    [1001, "2"],
    [59_000.5, "60"],
  ])("with a wait of %d ms says %s s, never too early", (ms, seconds) => {
    expect(new RateLimitError(refusal("limited", ms)).headers).toEqual({ "Retry-After": seconds });
  });

  test("says when the estimate is over, where there is one", () => {
    const estimated = { ...refusal("limited", 299_998), estimatedRetryAfter: 1250 };
    expect(new RateLimitError(estimated).headers).toEqual({ "Retry-After": "2" });
  });

  test("whoever comes back after so many seconds is let in", () => {
    const { clock, limiter } = fresh(LIMITS);
    const ask = () => limiter.limit("export", { key: KEY, throws: true });
    for (let ms = 0; ms < 3000; ms += 7) {
      clock.advance(7);
      try {
        ask();
      } catch (error) {
        const { headers } = error as RateLimitError;
        const seconds = Number(headers["Retry-After"]);
        clock.advance(seconds * 1000);
        expect(ask().ok).toBe(true);
      }
    }
  });
});
