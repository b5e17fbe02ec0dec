/** What holds for every store of a limiter that counts hits, whatever calls it: over real sockets. */
import type { RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { HitStore, HitStoreOptions } from "../../../src/http/moving/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { away } from "../../limiter/later.ts";
import { until } from "../../servers/until.ts";
import { serving } from "../headers/servers.ts";
import { pipelined } from "./pipelined.ts";
import { PLACES, type Place } from "./places.ts";

/** A limiter of another package, with a store of this one. */
export type Limiter = {
  /** Makes a store as users do. */
  store(options: HitStoreOptions<"now" | "later">): HitStore<"now" | "later">;
  /**
   * A server whose every answer is limited by the header `x-user`, and has the status that the
   * header `x-answer` asks for.
   */
  serve(options: Served): Promise<RequestListener>;
};

export type Served = {
  readonly windowMs: number;
  readonly limit: number;
  readonly store: HitStore<"now" | "later">;
  readonly skipFailedRequests?: boolean;
};

const WINDOW = 60_000;

/** The tests of a limiter's store. */
export function hitStoreTests(limiter: Limiter): void {
  describe.each(Object.entries(PLACES))("on %s", (_, open) => {
    let place: Place;
    let stores = 0;
    beforeAll(async () => {
      place = await open();
    });
    afterAll(() => place[Symbol.asyncDispose]());

    const fresh = (clock = manualClock()) =>
      limiter.store({ store: place.store(clock), name: `test-${stores++}` } as never);

    test("admits one of two pipelined requests against a limit of 1", async () => {
      const app = await limiter.serve({ windowMs: WINDOW, limit: 1, store: fresh() });
      const statuses = await serving(app, (url) => pipelined(url, ["ada", "ada"]));
      expect(statuses.toSorted()).toEqual([200, 429]);
    });

    test("admits as many of 100 parallel requests as the limit, and tells who has what", async () => {
      const app = await limiter.serve({ windowMs: WINDOW, limit: 10, store: fresh() });
      await serving(app, async (url) => {
        const answers = await Promise.all(Array.from({ length: 100 }, () => ask(url, "ada")));
        const admitted = answers.filter(({ status }) => status === 200);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(90);
        expect(admitted.map(remaining).toSorted((a, b) => a - b)).toEqual(upTo(10));
        expect((await ask(url, "ben")).status).toBe(200);
      });
    });

    test("admits again when the window has ended, as its answers say", async () => {
      const clock = manualClock();
      const app = await limiter.serve({ windowMs: WINDOW, limit: 1, store: fresh(clock) });
      await serving(app, async (url) => {
        await ask(url, "ada");
        const { status, headers } = await ask(url, "ada");
        const seconds = Number(headers.get("retry-after"));
        expect([status, seconds > 0, seconds <= 60]).toEqual([429, true, true]);
        clock.advance(seconds * 1000);
        expect((await ask(url, "ada")).status).toBe(200);
      });
    });

    test("counts 10⁹ hits, and tells of one more than that whatever comes after them", async () => {
      const [most, name, underlying] = [1e9, `test-${stores++}`, place.store(manualClock())];
      const store = limiter.store({ store: underlying, name } as never);
      const app = await limiter.serve({ windowMs: WINDOW, limit: most, store });
      const window = { kind: "fixed window", rate: most, period: WINDOW } as const;
      const others = new RateLimiter({ [name]: window }, { store: underlying });
      await others.limit(name, { key: "ada", count: most });
      expect((await store.increment("ada")).totalHits).toBe(most + 1);
      await serving(app, async (url) => expect((await ask(url, "ada")).status).toBe(429));
      expect((await store.get("ada"))?.totalHits).toBe(most);
    });

    test("takes back what did not count, and nothing else", async () => {
      const store = fresh();
      const options = { windowMs: WINDOW, limit: 2, store, skipFailedRequests: true };
      await serving(await limiter.serve(options), async (url) => {
        expect((await ask(url, "ada", 500)).status).toBe(500);
        const isBack = async () => (await store.get("ada")) === undefined;
        await until(isBack, { what: "it is taken back" });
        expect(remaining(await ask(url, "ada"))).toBe(1);
        await store.increment("ben");
        await store.decrement("ben");
        await store.decrement("ben");
        expect(remaining(await ask(url, "ben"))).toBe(1);
      });
    });

    test("takes nothing back from a window that has ended", async () => {
      const clock = manualClock();
      const store = fresh(clock);
      store.init({ windowMs: WINDOW });
      await store.increment("ada");
      clock.advance(WINDOW);
      await store.decrement("ada");
      expect((await store.increment("ada")).totalHits).toBe(1);
    });

    test("reads and forgets a key", async () => {
      const store = fresh();
      store.init({ windowMs: WINDOW });
      expect(await store.get("ada")).toBeUndefined();
      const first = await store.increment("ada");
      await store.increment("ada");
      expect(first.totalHits).toBe(1);
      expect((await store.get("ada"))?.totalHits).toBe(2);
      await store.resetKey("ada");
      expect(await store.get("ada")).toBeUndefined();
    });

    test("counts apart what has another name, and together what has the same", async () => {
      const shared = { store: place.store() };
      const named = ["one", "one", "other"].map((name) =>
        limiter.store({ ...shared, name } as never),
      );
      for (const store of named) store.init({ windowMs: WINDOW });
      const hits = [];
      for (const store of named) hits.push((await store.increment("ada")).totalHits);
      expect(hits).toEqual([1, 2, 1]);
      expect(named.map(({ prefix }) => prefix)).toEqual(["one", "one", "other"]);
    });

    test("says whether other processes see its keys", () => {
      expect(fresh().localKeys).toBe(place.isOwn);
    });
  });

  describe("while its store is away", () => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    test("is answered with 503, and a time to come back", async () => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      const store = limiter.store({ store: away(memoryStore()) } as never);
      const app = await limiter.serve({ windowMs: WINDOW, limit: 1, store });
      const { status, headers } = await serving(app, (url) => ask(url, "ada"));
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    });
  });

  describe("made wrongly", () => {
    test("says which option there is", () => {
      expect(() => limiter.store({ sotre: memoryStore() } as never)).toThrow(
        expect.objectContaining({ code: "unknown-field", hint: "Did you mean store?" }),
      );
    });

    test("refuses a window that is none, and hits before there is one", () => {
      const store = limiter.store({});
      expect(() => store.increment("ada")).toThrow(expect.objectContaining({ code: "bad-option" }));
      expect(() => store.init({ windowMs: 0.5 })).toThrow(
        expect.objectContaining({ code: "bad-period" }),
      );
    });
  });
}

async function ask(url: string, user: string, answer = 200): Promise<Response> {
  const headers = { "x-user": user, "x-answer": String(answer) };
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response;
}

function remaining({ headers }: Response): number {
  return Number(headers.get("ratelimit-remaining"));
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
