import { type Context, Hono } from "hono";
import { RateLimiter, type Store, type Timing } from "spillway";
import { limitedFetch } from "spillway/client";
import { limited } from "spillway/fetch";
import { limited as limitedInHono } from "spillway/hono";
import { valueHandler, valueSource } from "spillway/value";
import { uses } from "./uses.ts";
import { visit } from "./visit.ts";

/** What differs between runtimes. */
export type Site = {
  /** The stores that work there, by name. */
  readonly stores: { readonly [name: string]: Store<Timing> };
  /** The client's address, as docs/middleware/fetch.md has it for the runtime. */
  readonly peer: (request: Request, info?: unknown) => string | undefined;
  /** The same for Hono, as docs/middleware/hono.md has it; left out where Hono's `env` has it. */
  readonly honoPeer?: (context: Context) => string | undefined;
};

const lease = { kind: "concurrency", capacity: 1, ttl: "1m" } as const;
const once = { kind: "token bucket", rate: 1, period: "1h" } as const;

const PROBLEM = JSON.stringify({
  type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
  "violated-policies": ["theirs"],
});

/** What a client of limits gets, and sends, where the first of its requests is refused for a moment. */
async function obedient(): Promise<string> {
  let sent = 0;
  const headers = { "retry-after-ms": "20", "Content-Type": "application/problem+json" };
  const refusal = { status: 429, headers };
  const server = async (_url: string, _init?: RequestInit) =>
    sent++ === 0 ? new Response(PROBLEM, refusal) : new Response("served");
  const limiter = new RateLimiter({ own: { kind: "concurrency", capacity: 1, ttl: "1m" } });
  const own = { limiter, limit: "own", key: "ours" } as const;
  const response = await limitedFetch(server, own)("https://api.example/");
  const text = `${await response.text()} after ${sent} requests`;
  return `${text}, ${limiter.value("own", { key: "ours" }).remaining} of 1 free`;
}

/** What a page is shown that is answered by the handler of a server. */
async function shown(): Promise<string> {
  const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 5, period: "1h" } });
  limiter.limit("api", { key: "ada", count: 2 });
  const handler = valueHandler(limiter, { limit: "api", key: "ada" });
  const fetch = async (url: string) => (await handler(new Request(url))) as Response;
  const source = valueSource("https://site.example/left", { fetch });
  await source.refresh();
  const { remaining, capacity } = source.view();
  return `${remaining} of ${capacity} left`;
}

/**
 * Makes the handler of a runtime's server.
 *
 * `/uses/NAME` answers what came of the uses of a store, `/client` what a client got, `/value` what a page is shown,
 * `/visitor` whether a visitor is known again, `/found` something under a lease whose limit is found for it. `/fetch` and `/hono` answer each address once
 * an hour, with the address.
 */
export function site({ stores, peer, honoPeer }: Site) {
  const limiter = new RateLimiter({ fetch: once, hono: once });
  const withFetch = limited(
    limiter,
    { limit: "fetch", partitionKey: false, peer },
    (request: Request, info?: unknown) => new Response(peer(request, info)),
  );
  const app = new Hono();
  const hono = { limit: "hono", partitionKey: false, ...(honoPeer && { peer: honoPeer }) } as const;
  app.use("/hono", limitedInHono(limiter, hono));
  app.get("/hono", (c) => c.text(`${peer(c.req.raw, c.env)}`));
  app.get("/client", async (c) => c.text(await obedient()));
  app.get("/value", async (c) => c.text(await shown()));
  app.get("/visitor", async (c) => c.text(await visit()));
  app.get("/uses/:store", async (c) => {
    const store = stores[c.req.param("store")];
    return store === undefined ? c.notFound() : c.json(await uses(store));
  });
  const found = { limit: "found", key: "all", config: () => lease } as const;
  app.get("/found", limitedInHono(limiter, { ...found, onEvent: () => {} }), (c) => c.text("held"));
  return async (request: Request, info?: unknown): Promise<Response> =>
    new URL(request.url).pathname === "/fetch"
      ? ((await withFetch(request, info)) as Response)
      : app.fetch(request, info as object);
}
