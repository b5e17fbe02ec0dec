/**
 * Caching is undici's: its interceptor, composed after ours, is what HTTP allows to a private cache. What our pages promise
 * of that is held here: what is answered from the cache takes no turn, and asks nobody.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, cacheStores, interceptors, request } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { limitInterceptor } from "../../src/client/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { listening, type Running } from "../http/middleware/host.ts";

type Headers = { readonly [name: string]: string };

let running: Running;
let seen: IncomingMessage[] = [];
/** What the server sends with a 200, unless the request has the validator that it sends. */
let headers: Headers = {};

beforeAll(async () => {
  running = await listening(
    createServer((request: IncomingMessage, response: ServerResponse) => {
      seen.push(request);
      const isSame =
        headers.ETag !== undefined && request.headers["if-none-match"] === headers.ETag;
      response.writeHead(isSame ? 304 : 200, { ...headers, Connection: "close" });
      response.end(isSame ? undefined : `answer ${seen.length}`);
    }),
  );
});
afterAll(() => running.close());
beforeEach(() => {
  seen = [];
});

/** A client with ten units of its own, and a cache. */
function client() {
  const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 10, period: "1h" } });
  const store = new cacheStores.MemoryCacheStore({ maxSize: 1_000_000, maxEntrySize: 1000 });
  const dispatcher = new Agent().compose(
    limitInterceptor({ limiter, limit: "api", key: "ours", pacing: false }),
    interceptors.cache({ store, type: "private" }),
  );
  const ask = async (path: string, init: { method?: string; headers?: Headers } = {}) => {
    const url = `http://127.0.0.1:${running.port}${path}`;
    const { body } = await request(url, { dispatcher, ...init } as never);
    return body.text();
  };
  return { ask, taken: () => 10 - limiter.value("api", { key: "ours" }).remaining };
}

const FRESH = { "Cache-Control": "max-age=3600" };

describe("a cache in front of the queue", () => {
  test("answers what is fresh: nothing is sent, and no unit is taken", async () => {
    headers = FRESH;
    const { ask, taken } = client();
    expect([await ask("/"), await ask("/"), await ask("/")]).toEqual(Array(3).fill("answer 1"));
    expect([seen.length, taken()]).toEqual([1, 1]);
  });

  test.each<[what: string, headers: Headers]>([
    ["no-store", { "Cache-Control": "no-store, max-age=3600" }],
    ["no lifetime, and nothing to compare with", {}],
    ["Vary: *", { ...FRESH, Vary: "*" }],
  ])("keeps nothing of an answer with %s", async (_, answered) => {
    headers = answered;
    const { ask, taken } = client();
    expect([await ask("/"), await ask("/")]).toEqual(["answer 1", "answer 2"]);
    expect(taken()).toBe(2);
  });

  test("keeps what Vary names apart", async () => {
    headers = { ...FRESH, Vary: "Accept-Language" };
    const { ask } = client();
    const [english, german] = [{ "accept-language": "en" }, { "accept-language": "de" }];
    expect(await ask("/", { headers: english })).toBe("answer 1");
    expect(await ask("/", { headers: german })).toBe("answer 2");
    expect(await ask("/", { headers: english })).toBe("answer 1");
  });

  test("asks whether what is stale is still the same, and takes a unit for that", async () => {
    headers = { "Cache-Control": "max-age=3600, no-cache", ETag: '"1"' };
    const { ask, taken } = client();
    expect([await ask("/"), await ask("/")]).toEqual(["answer 1", "answer 1"]);
    expect(seen[1]?.headers["if-none-match"]).toBe('"1"');
    expect([seen.length, taken()]).toEqual([2, 2]);
  });

  test("forgets what an unsafe method has changed", async () => {
    headers = FRESH;
    const { ask } = client();
    await ask("/");
    await ask("/", { method: "PUT" });
    expect(await ask("/")).toBe("answer 3");
  });

  test("keeps what is asked for with other credentials apart", async () => {
    headers = FRESH;
    const { ask } = client();
    const as = (user: string) => ask("/", { headers: { authorization: `Bearer ${user}` } });
    expect([await as("ada"), await as("bob")]).toEqual(["answer 1", "answer 2"]);
  });
});
