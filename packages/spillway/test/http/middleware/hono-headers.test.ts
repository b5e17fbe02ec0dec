/** Hono: a server of Node, where headers are added late, sends what other runtimes send. */
import { createServer } from "node:http";
import { connect, createServer as createHttp2 } from "node:http2";
import { text } from "node:stream/consumers";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { expect, test } from "vitest";
import { limited } from "../../../src/http/middleware/hono/index.ts";
import { RateLimiter } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { listening, type Running } from "./host.ts";

/** An app with its handlers, and whatever is around the limits. */
type Case = {
  readonly handle?: (c: Context) => Response | Promise<Response>;
  readonly outer?: MiddlewareHandler;
  readonly inner?: MiddlewareHandler;
  /** More routes or handlers of errors. */
  readonly more?: (app: Hono) => void;
  readonly request?: RequestInit;
  /** Whether the response lacks the headers. */
  readonly lacks?: true;
};

const SEARCH = { kind: "token bucket", rate: 9, period: "1m" } as const;

function appOf({ handle = (c) => c.json({ ok: true }), outer, inner, more }: Case): Hono {
  const store = memoryStore({ clock: manualClock() });
  const limiter = new RateLimiter({ search: SEARCH, daily: SEARCH }, { store });
  const app = new Hono();
  more?.(app);
  if (outer !== undefined) app.use("/", outer);
  app.use("/", limited(limiter, { limit: "search", key: "all" }));
  app.use("/inner", limited(limiter, { limit: "daily", key: "all" }));
  if (inner !== undefined) app.use("/", inner);
  app.get("/", handle);
  app.get("/inner", (c) => c.text("inner"));
  return app;
}

const OWN = { RateLimit: "mine", "X-Own": "kept" };
const stream = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("streamed"));
      controller.close();
    },
  });
const after = (change: (c: Context) => unknown): MiddlewareHandler => {
  return async (c, next) => {
    await next();
    await change(c);
  };
};
const throwing = (error: unknown) => (): never => {
  throw error;
};
const wait = () => new Promise<void>((resolve) => setImmediate(resolve));

const CASES: { readonly [name: string]: Case } = {
  JSON: {},
  text: { handle: (c) => c.text("plain") },
  "a Response": { handle: () => new Response("plain", { headers: OWN }) },
  "a Response without headers": { handle: () => new Response("plain") },
  "a Response of fetch": { handle: () => fetch("data:text/plain,brought") },
  "a Response of Headers": { handle: () => new Response("plain", { headers: new Headers(OWN) }) },
  "a Response of pairs": { handle: () => new Response("plain", { headers: Object.entries(OWN) }) },
  "headers of the handler's own by json": { handle: (c) => c.json({}, 200, OWN) },
  "headers of the handler's own by c.header": {
    handle: (c) => {
      c.header("RateLimit", "mine");
      c.header("Set-Cookie", "a=1", { append: true });
      c.header("Set-Cookie", "b=2", { append: true });
      return c.body("plain");
    },
  },
  "a stream": { handle: (c) => c.body(stream()) },
  "a promise": { handle: async (c) => wait().then(() => c.text("late")) },
  "no content": { handle: (c) => c.body(null, 204) },
  "not modified": { handle: (c) => c.body(null, 304) },
  "a redirect": { handle: (c) => c.redirect("/inner") },
  HEAD: { request: { method: "HEAD" } },
  "not found": { handle: (c) => c.notFound() },
  "an HTTPException": { handle: throwing(new HTTPException(403, { message: "no" })) },
  "an HTTPException with a response": {
    handle: () => throwing(new HTTPException(401, { res: new Response("no", { headers: OWN }) }))(),
  },
  "an error without a handler": { handle: throwing(new Error("broken")), more: silence },
  "an error with a handler that sets headers": {
    handle: throwing(new Error("broken")),
    more: (app) => app.onError((_, c) => c.text("sorry", 500, OWN)),
  },
  "an error of an outer middleware": {
    outer: after(throwing(new Error("broken"))),
    more: (app) => app.onError((_, c) => c.text("sorry", 500)),
  },
  "another origin": { request: { headers: { origin: "https://a.example" } } },
  "another origin, with cors": {
    outer: cors({ origin: "https://a.example", exposeHeaders: ["X-Own"] }),
    request: { headers: { origin: "https://a.example" } },
  },
  "another origin, with cors inside": {
    inner: cors({ origin: "https://a.example", exposeHeaders: ["X-Own"] }),
    request: { headers: { origin: "https://a.example" } },
  },
  "another origin, with names of the handler's own": {
    handle: (c) => c.json({}, 200, { "Access-Control-Expose-Headers": "X-Own" }),
    request: { headers: { origin: "https://a.example" } },
  },
  "etag, for the first time": { outer: etag() },
  "etag, not modified": {
    handle: (c) => c.text("plain", 200, { ETag: '"1"' }),
    outer: etag(),
    request: { headers: { "if-none-match": '"1"' } },
    lacks: true,
  },
  compressed: {
    handle: (c) => c.text("plain ".repeat(1000)),
    outer: compress(),
    request: { headers: { "accept-encoding": "gzip" } },
  },
  "an outer middleware that sets headers": {
    outer: after((c) => c.header("X-Outer", c.res.headers.get("ratelimit") ?? "none")),
  },
  "an outer middleware that overrides ours": { outer: after((c) => c.header("RateLimit", "its")) },
  "an outer middleware that deletes ours": {
    outer: after((c) => c.header("RateLimit")),
    lacks: true,
  },
  "an outer middleware that reads the status": { outer: after((c) => c.res.status) },
  "an outer middleware that clones": {
    outer: after(async (c) => c.header("X-Length", String((await c.res.clone().text()).length))),
  },
  "an outer middleware that keeps a clone only": {
    outer: after((c) => {
      const clone = c.res.clone();
      c.res = undefined;
      c.res = clone;
    }),
  },
  "an outer middleware that copies": {
    outer: after((c) => {
      c.res = new Response(c.res.body, c.res);
    }),
  },
  "an outer middleware that reads the text": {
    outer: after(async (c) => {
      const upper = (await c.res.text()).toUpperCase();
      c.res = new Response(upper, { status: 201 });
    }),
  },
  "an outer middleware with another response": {
    outer: after((c) => {
      c.res = new Response("other", { headers: { "X-Outer": "1" } });
    }),
  },
  "an outer middleware that drops the response": {
    outer: after((c) => {
      c.res = undefined;
      c.res = new Response("other", { status: 202 });
    }),
    lacks: true,
  },
  "a handler that asks another route by its own env": {
    handle: async (c) => c.text(await (await appOf({}).request("/inner", {}, c.env)).text()),
  },
  "a handler that asks for the status only": {
    handle: async (c) => c.text(String((await appOf({}).request("/inner", {}, c.env)).status)),
  },
  "a handler that passes its request on": { handle: (c) => appOf({}).fetch(c.req.raw, c.env) },
  "a handler that reads what another app has for its request": {
    handle: async (c) => c.text(await (await appOf({}).fetch(c.req.raw, c.env)).text()),
  },
};

function silence(app: Hono): void {
  app.onError((_, c) => c.text("Internal Server Error", 500));
}

/** What servers of Node add themselves. */
const SERVERS = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
/** A Response without a type has none; `@hono/node-server` adds one. */
const TYPE = "content-type";

async function seen(response: Response) {
  const headers = new Map(response.headers);
  for (const name of [...SERVERS, TYPE]) headers.delete(name);
  const body = await response.text();
  // A client decompresses it, a Response does not.
  return { status: response.status, headers, body: headers.has("content-encoding") ? "" : body };
}

async function fetched({ port }: Running, request: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/`, { redirect: "manual", ...request });
}

test.each(Object.entries(CASES))("%s", async (_, one) => {
  const server = await listening(createServer(getRequestListener(appOf(one).fetch)));
  try {
    const elsewhere = appOf(one);
    for (let times = 0; times < 3; times++) {
      const expected = await seen(await elsewhere.request("/", one.request));
      expect(expected.headers.has("ratelimit")).toBe(!one.lacks);
      expect(await seen(await fetched(server, one.request))).toEqual(expected);
    }
  } finally {
    await server.close();
  }
});

test("HTTP/2 has them too, each once", async () => {
  const server = createHttp2(getRequestListener(appOf({}).fetch));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  const client = connect(`http://127.0.0.1:${port}`);
  try {
    const request = client.request({ ":path": "/" });
    const headers = await new Promise<object>((resolve) => request.once("response", resolve));
    expect(headers).toMatchObject({
      ratelimit: '"search";r=8;t=7',
      "ratelimit-policy": '"search";q=9;w=60',
    });
    expect(await text(request)).toBe('{"ok":true}');
  } finally {
    client.close();
    server.close();
  }
});

test("a handler without limits sends none of a route that it asks by its own env", async () => {
  const inner = appOf({});
  const app = new Hono();
  app.get("/", async (c) => c.text(String((await inner.request("/", {}, c.env)).status)));
  const server = await listening(createServer(getRequestListener(app.fetch)));
  try {
    const response = await fetched(server);
    expect(await response.text()).toBe("200");
    expect(response.headers.get("ratelimit")).toBe(null);
  } finally {
    await server.close();
  }
});

test("one Response for all requests", async () => {
  let shared: Response | undefined;
  const handle = () => {
    shared ??= new Response("shared", { headers: { "x-own": "kept" } });
    return shared;
  };
  const server = await listening(createServer(getRequestListener(appOf({ handle }).fetch)));
  try {
    const all = await Promise.all(Array.from({ length: 3 }, () => fetched(server)));
    for (const response of [...all, await fetched(server)]) {
      expect(response.headers.get("ratelimit")).toMatch(/^"search";r=[5-8];t=\d+$/);
      expect(response.headers.get("x-own")).toBe("kept");
      expect(await response.text()).toBe("shared");
    }
  } finally {
    await server.close();
  }
});
