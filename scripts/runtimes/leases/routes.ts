import { type Context, Hono } from "hono";
import type { UpgradeWebSocket } from "hono/ws";
import { RateLimiter } from "spillway";
import { limited } from "spillway/fetch";
import { limited as limitedInHono } from "spillway/hono";

/** How a runtime opens WebSockets. */
export type Sockets = {
  /** Opens one that echoes, and calls `closed` at its end. Undefined is what Bun is answered. */
  readonly open: (request: Request, server: unknown, closed: () => void) => Response | undefined;
  /** Hono's helper for the runtime. */
  readonly upgrade: UpgradeWebSocket;
};

/** What came of the requests of a key. */
type Report = { readonly settled: string[]; readonly failed: string[] };

const limiter = new RateLimiter({
  requests: { kind: "token bucket", rate: 5, period: "1h" },
  leases: { kind: "concurrency", capacity: 3, ttl: "10m" },
  turns: { kind: "concurrency", capacity: 1, ttl: "10m" },
});

/** How often the leases of `renewed` were renewed, all together. */
let renewals = 0;

const renewing = new RateLimiter(
  { renewed: { kind: "concurrency", capacity: 10, ttl: "2s" } },
  { onCall: ({ verb }) => void (verb === "renew" && renewals++) },
);

const reports = new Map<string, Report>();

function reportOf(key: string): Report {
  const report = reports.get(key) ?? { settled: [], failed: [] };
  reports.set(key, report);
  return report;
}

/** The route of a path such as `lease/real`. */
function routeOf<R>(path: string, keyOf: (request: R) => string) {
  const requests = {
    limit: "requests",
    key: keyOf,
    settle: ({ status, finished }: { status: number; finished: boolean }, request: R) => {
      reportOf(keyOf(request)).settled.push(`${status} ${finished}`);
      return undefined;
    },
  } as const;
  const lease = { limit: "leases", key: keyOf } as const;
  return {
    limits: path.startsWith("lease") ? [lease, requests] : [requests],
    shadow: path.endsWith("shadow"),
    onEvent: (event: { type: string; request: R; error?: unknown }) => {
      const { code = event.type } = (event.error ?? {}) as { code?: string };
      reportOf(keyOf(event.request)).failed.push(code);
    },
  };
}

const PATHS = ["rate/real", "rate/shadow", "lease/real", "lease/shadow"];

/** Longer than any test takes. */
const never = () => new Promise<never>((_, reject) => setTimeout(reject, 600_000));

function begun(): Response {
  const start = (controller: ReadableStreamDefaultController) =>
    controller.enqueue(new TextEncoder().encode("begun"));
  return new Response(new ReadableStream({ start, pull: never }, { highWaterMark: 0 }));
}

/** What handlers of both adapters answer that have nothing to do with WebSockets. */
async function plain(what: string, hold: () => unknown): Promise<Response> {
  if (what === "slow") return never();
  if (what === "stream") return begun();
  if (what === "empty") return new Response(null);
  if (what === "kept") hold();
  return new Response("answered");
}

const keyOf = (url: string) => new URL(url).searchParams.get("key") ?? "none";
const lastOf = (url: string) => new URL(url).pathname.split("/").at(-1) ?? "";

/** The routes `/fetch/…`. */
function inFetch({ open }: Sockets) {
  const handlers = PATHS.map((path) => {
    const handler = limited(
      limiter,
      routeOf<Request>(path, ({ url }) => keyOf(url)),
      async (request, server?: unknown) => {
        const hold = () => request.spillway.hold();
        const what = lastOf(request.url);
        if (what === "forgotten") return open(request, server, () => {}) as Response;
        if (what === "held") return open(request, server, hold()) as Response;
        if (what === "failed") return hold() && new Response("no", { status: 400 });
        if (what === "thrown") throw hold() && new Error("thrown by a test");
        return plain(what, hold);
      },
    );
    return [`/fetch/${path}`, handler] satisfies [string, unknown];
  });
  return new Map<string, (typeof handlers)[number][1]>(handlers);
}

/** The routes `/hono/…`. */
function inHono({ upgrade }: Sockets) {
  const app = new Hono();
  app.onError((_, c) => c.text("failed", 500));
  for (const path of PATHS) {
    const on = `/hono/${path}`;
    app.use(
      `${on}/*`,
      limitedInHono(
        limiter,
        routeOf<Context>(path, (c) => keyOf(c.req.url)),
      ),
    );
    const events = {
      onMessage: ({ data }: { data: unknown }, ws: { send(data: string): void }) =>
        ws.send(`${data}`),
    };
    app.get(`${on}/forgotten`, upgrade(() => events) as never);
    app.get(`${on}/held`, upgrade((c) => ({ ...events, onClose: c.var.spillway.hold() })) as never);
    app.get(`${on}/failed`, (c) => c.var.spillway.hold() && c.text("no", 400));
    app.get(`${on}/thrown`, (c) => {
      throw c.var.spillway.hold() && new Error("thrown by a test");
    });
    app.get(`${on}/*`, (c) => plain(lastOf(c.req.url), () => c.var.spillway.hold()));
  }
  return app;
}

const holdsTurn = limited(
  limiter,
  { limit: "turns", key: ({ url }: Request) => keyOf(url) },
  begun,
);
const isRenewed = limited(
  renewing,
  { limit: "renewed", key: ({ url }: Request) => keyOf(url) },
  begun,
);

/** Waits for its turn, and answers whether it had it. */
async function waiter({ url, signal }: Request): Promise<Response> {
  const ms = Number(new URL(url).searchParams.get("ms"));
  const lease = await limiter.acquire("turns", { key: keyOf(url), wait: ms, signal });
  if (lease.ok) lease.release();
  return new Response(lease.ok ? "had its turn" : "refused");
}

/** What has become of a key's requests. */
function stateOf(key: string) {
  const remaining = (name: "requests" | "leases" | "turns") =>
    limiter.value(name, { key }).remaining;
  return {
    requests: remaining("requests"),
    leases: remaining("leases"),
    turns: remaining("turns"),
    ...reportOf(key),
  };
}

/**
 * Makes the handler of a runtime's server.
 *
 * `/ADAPTER/LIMITS/MODE/WHAT?key=…` is under limits; `/state?key=…` answers what has become of them. `/turn/hold`
 * takes a key's turn, for which `/turn` waits; `/renewed` holds a lease that `/renewals` counts.
 */
export function routes(sockets: Sockets) {
  const fetchRoutes = inFetch(sockets);
  const app = inHono(sockets);
  return async (request: Request, info?: unknown): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/state") return Response.json(stateOf(keyOf(request.url)));
    if (pathname === "/renewals") return new Response(String(renewals));
    if (pathname === "/renewed") return (await isRenewed(request)) as Response;
    if (pathname === "/turn/hold") return (await holdsTurn(request)) as Response;
    if (pathname === "/turn") return waiter(request);
    const handler = fetchRoutes.get(pathname.slice(0, pathname.lastIndexOf("/")));
    return (
      handler ? await handler(request, info) : app.fetch(request, info as object)
    ) as Response;
  };
}
