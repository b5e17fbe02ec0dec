/** The library on the real Bun, Deno and workerd, asked over sockets. */
import pg from "pg";
import { migrate } from "spillway/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../../packages/spillway/test/servers/postgres/start.ts";
import { startRedis } from "../../../packages/spillway/test/servers/redis-node.ts";
import { read } from "../pages.ts";
import { RUNTIMES } from "./runtimes.ts";
import { Served } from "./served.ts";

/** What the edge passes on to a worker; to the others it means nothing. */
const headers = { "CF-Connecting-IP": "203.0.113.7" };

/** What has to be stopped at the end. */
const stack = new AsyncDisposableStack();
const urls = { REDIS_URL: "", POSTGRES_URL: "" };

beforeAll(async () => {
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  stack.use(redis);
  stack.use(postgres);
  urls.REDIS_URL = redis.url;
  urls.POSTGRES_URL = postgres.url;
  const pool = new pg.Pool({ connectionString: postgres.url });
  await migrate(pool);
  await pool.end();
});
afterAll(() => stack.disposeAsync());

describe.each(RUNTIMES)("$title", ({ title, source, binary, serve, peer, stores }) => {
  test("the page has the same peer", () => {
    const [, inPage] =
      read("docs/middleware/fetch.md").match(`\\| ${title} \\| \`(.+)\` \\|`) ?? [];
    expect(read(source)).toContain(`peer: ${inPage},`);
  });

  // npm leaves out what there is not for this machine.
  describe.skipIf(binary === "")(binary ? "serves" : "skipped: npm has none", () => {
    let served: Served;
    const get = (path: string) => fetch(`${served.url}${path}`, { headers });

    beforeAll(async () => {
      const env = { ...process.env, ...urls };
      served = await serve((args) => Served.start({ path: binary, args, env }), source);
    });
    // Undefined where it did not start.
    afterAll(() => served?.stop());

    test.each(stores)("takes exactly what there is, settles and leases: %s", async (store) => {
      const response = await get(`/uses/${store}`);
      expect(await response.json()).toEqual({
        taken: 5,
        takenAfterSettling: 2,
        leases: [true, false, true],
      });
    });

    test("comes back as a client when it is let in", async () => {
      expect(await (await get("/client")).text()).toBe("served after 2 requests, 1 of 1 free");
    });

    test("shows a page what is left", async () => {
      expect(await (await get("/value")).text()).toBe("3 of 5 left");
    });

    test("knows a visitor again who has solved a challenge", async () => {
      expect(await (await get("/visitor")).text()).toBe("known again");
    });

    test("holds no lease where it would not hear of a client that has gone", async () => {
      expect((await get("/found")).status).toBe(title === "Cloudflare Workers" ? 500 : 200);
    });

    test.each(["fetch", "hono"])("answers each address once, then refuses it: %s", async (name) => {
      const policy = `"${name}";q=1;w=3600`;
      const first = await get(`/${name}`);
      expect([first.status, await first.text()]).toEqual([200, peer]);
      expect(first.headers.get("RateLimit-Policy")).toBe(policy);
      expect(first.headers.get("RateLimit")).toBe(`"${name}";r=0;t=3600`);

      const second = await get(`/${name}`);
      expect(second.status).toBe(429);
      expect(second.headers.get("RateLimit-Policy")).toBe(policy);
      const wait = second.headers.get("Retry-After");
      expect(second.headers.get("RateLimit")).toBe(`"${name}";r=0;t=${wait}`);
      expect(second.headers.get("Content-Type")).toBe("application/problem+json");
      expect(await second.json()).toMatchObject({ status: 429, "violated-policies": [name] });
    });
  });
});
