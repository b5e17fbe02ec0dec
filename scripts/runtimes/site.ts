import { type Context, Hono } from "hono";
import { type Mode, RateLimiter, type Store } from "spillway";
import { limitedFetch } from "spillway/client";
import { limited } from "spillway/fetch";
import { limited as limitedInHono } from "spillway/hono";
import { uses } from "./uses.ts";

/** What differs between runtimes. */
export type Site = {
  /** The stores that work there, by name. */
  readonly stores: { readonly [name: string]: Store<Mode> };
  /** The client's address, as docs/middleware/fetch.md has it for the runtime. */
  readonly peer: (request: Request, info?: unknown) => string | undefined;
  /** The same for Hono, as docs/middleware/hono.md has it; left out where Hono's `env` has it. */
  readonly honoPeer?: (context: Context) => string | undefined;
};

const once = { kind: "token bucket", rate: 1, period: "1h" } as const;

/** What a client of limits gets, and sends, where the first of its requests is refused for a moment. */
async function obedient(): Promise<string> {
  let sent = 0;
  const refusal = { status: 429, headers: { "retry-after-ms": "20" } };
  const server = async (_url: string, _init?: RequestInit) =>
    sent++ === 0 ? new Response("later", refusal) : new Response("served");
  const response = await limitedFetch(server)("https://api.example/");
  return `${await response.text()} after ${sent} requests`;
}

/**
 * Makes the handler of a runtime's server.
 *
 * `/uses/NAME` answers what came of the uses of a store, `/client` what a client got. `/fetch` and `/hono` answer each address once
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
  app.get("/uses/:store", async (c) => {
    const store = stores[c.req.param("store")];
    return store === undefined ? c.notFound() : c.json(await uses(store));
  });
  return async (request: Request, info?: unknown): Promise<Response> =>
    new URL(request.url).pathname === "/fetch"
      ? ((await withFetch(request, info)) as Response)
      : app.fetch(request, info as object);
}
