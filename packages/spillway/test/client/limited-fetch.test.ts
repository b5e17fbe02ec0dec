/** A client against real servers: what it sends, when, and how often. */
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { type ClientEvent, decisionOf, limitedFetch } from "../../src/client/index.ts";
import { limited } from "../../src/http/middleware/node/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { RateLimitError } from "../../src/limits/core/index.ts";
import { listening, type Running } from "../http/middleware/host.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const open: Running[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((running) => running.close()));
});

/** Starts a server; its address. */
async function serve(listener: RequestListener): Promise<string> {
  const running = await listening(
    createServer((request, response) => {
      response.setHeader("Connection", "close");
      listener(request, response);
    }),
  );
  open.push(running);
  return `http://127.0.0.1:${running.port}/`;
}

/** A server that answers with one status after the other, the last one for ever. */
async function statuses(
  list: readonly number[],
  headers: { readonly [name: string]: string } = {},
): Promise<{ readonly url: string; readonly seen: string[] }> {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    const status = list[Math.min(seen.length, list.length - 1)] as number;
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.once("end", () => {
      seen.push(`${request.method} ${body}`.trim());
      if (status !== 200)
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.statusCode = status;
      response.end(`${status}`);
    });
  });
  return { url, seen };
}

const SOON = { backoff: { first: 1, most: 1 } } as const;

test("an `init` that is a Request is sent as it is", async () => {
  const { url, seen } = await statuses([200]);
  const api = limitedFetch(fetch);
  const init = new Request(url, { method: "POST", body: "hello" });
  await api(url, Object.defineProperty(init, "duplex", { value: "half" }));
  expect(seen).toEqual(["POST hello"]);
});

describe("a refusal", () => {
  test("of a server of ours is obeyed: the client comes back once, and is served", async () => {
    const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 1, period: "900ms" } });
    const seen: number[] = [];
    const route = { limit: "api", key: "client" } as const;
    const api = limited(limiter, route, (_, response) => void response.end("served"));
    const url = await serve((request, response) => {
      // Now, however long the client took to come.
      if (seen.length === 0) limiter.limit("api", { key: "client" });
      response.once("close", () => seen.push(response.statusCode));
      api(request, response);
    });
    const response = await limitedFetch(fetch)(url);
    expect(await response.text()).toBe("served");
    expect(seen).toEqual([429, 200]);
  });

  test("with a wait that is too long is returned, with a decision beside it", async () => {
    const { url, seen } = await statuses([429], { "Retry-After": "99999999999" });
    const response = await limitedFetch(fetch, { wait: 60_000 })(url);
    expect(response.status).toBe(429);
    expect(await response.text()).toBe("429");
    expect(decisionOf(response)).toMatchObject({
      ok: false,
      reason: "limited",
      retryAfter: 86_400_000,
      resetAfter: 366 * 86_400_000,
    });
    expect(seen).toEqual(["GET"]);
  });

  test("that holds keeps others from being sent at all", async () => {
    const { url, seen } = await statuses([429], { "Retry-After": "3600" });
    const api = limitedFetch(fetch, { wait: 1000 });
    await api(url);
    const error = await api(`${url}other`).catch((error) => error);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: "limited", decision: { ok: false, reason: "limited" } });
    expect(error.decision.retryAfter).toBeGreaterThan(3_000_000);
    expect(seen).toEqual(["GET"]);
  });

  test("of one host says nothing of another", async () => {
    const refusing = await statuses([429], { "Retry-After": "3600" });
    const other = await statuses([200]);
    const api = limitedFetch(fetch, { wait: 1000 });
    await api(refusing.url);
    expect((await api(other.url)).status).toBe(200);
  });

  test("with `throws` is thrown, with the decision", async () => {
    const { url } = await statuses([429], { "Retry-After": "3600" });
    const error = await limitedFetch(fetch, { throws: true })(url).catch((error) => error);
    expect(error).toMatchObject({ code: "limited", decision: { retryAfter: 3_600_000 } });
  });

  test("for ever ends after so many attempts", async () => {
    const { url, seen } = await statuses([429]);
    expect((await limitedFetch(fetch, { ...SOON, attempts: 3, pacing: false })(url)).status).toBe(
      429,
    );
    expect(seen.length).toBe(3);
  });
});

describe("what is sent again", () => {
  const POST = { method: "POST", body: "order" } as const;
  const stream = () => new Blob(["order"]).stream();

  test.each<[what: string, init: RequestInit, repeat: "idempotent" | "refused", times: number]>([
    ["a GET", {}, "idempotent", 2],
    ["a PUT with a body", { method: "PUT", body: "order" }, "idempotent", 2],
    ["a POST", POST, "idempotent", 1],
    [
      "a POST that says that it is the same",
      { ...POST, headers: { "Idempotency-Key": "7" } },
      "idempotent",
      2,
    ],
    ["a POST that was refused, where that is said", POST, "refused", 2],
    ["a body of bytes", { ...POST, body: new TextEncoder().encode("order") }, "refused", 2],
    ["a form", { ...POST, body: new URLSearchParams("order") }, "refused", 2],
    ["a stream", { ...POST, body: stream(), duplex: "half" } as RequestInit, "refused", 1],
  ])("%s: %o", async (_, init, repeat, times) => {
    const { url, seen } = await statuses([429, 200]);
    const response = await limitedFetch(fetch, { ...SOON, pacing: false, repeat })(url, init);
    expect(response.status).toBe(times === 2 ? 200 : 429);
    expect(seen.length).toBe(times);
    expect(new Set(seen).size).toBe(1);
  });

  test.each([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529])(
    "a GET that was answered with %i",
    async (status) => {
      const { url, seen } = await statuses([status, 200]);
      expect((await limitedFetch(fetch, SOON)(url)).status).toBe(200);
      expect(seen.length).toBe(2);
    },
  );

  test.each([400, 403, 404, 409, 423, 501, 505, 511, 525])("nothing after %i", async (status) => {
    const { url, seen } = await statuses([status, 200]);
    expect((await limitedFetch(fetch, SOON)(url)).status).toBe(status);
    expect(seen.length).toBe(1);
  });

  test("a POST that failed is not, though refused ones are", async () => {
    const { url, seen } = await statuses([500, 200]);
    const api = limitedFetch(fetch, { ...SOON, repeat: "refused" });
    expect((await api(url, POST)).status).toBe(500);
    expect(seen.length).toBe(1);
  });

  test("a Request is sent again with its body", async () => {
    const { url, seen } = await statuses([500, 200]);
    const request = new Request(url, { method: "PUT", body: "order" });
    expect((await limitedFetch(fetch, SOON)(request)).status).toBe(200);
    expect(seen).toEqual(["PUT order", "PUT order"]);
  });

  test("a server that does not keep up is not taken for one with a limit by one answer", async () => {
    const { url, seen } = await statuses([503, 200]);
    expect((await limitedFetch(fetch, SOON)(url)).status).toBe(200);
    expect(seen.length).toBe(2);
  });

  test("404 is an answer", async () => {
    const { url, seen } = await statuses([404, 200]);
    expect((await limitedFetch(fetch, SOON)(url)).status).toBe(404);
    expect(seen.length).toBe(1);
  });

  test("GitHub's 403 is a refusal where its quota is used up", async () => {
    const { url } = await statuses([403, 200], {
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": "0",
    });
    expect((await limitedFetch(fetch, SOON)(url)).status).toBe(200);
    const forbidden = await statuses([403, 200]);
    expect((await limitedFetch(fetch, SOON)(forbidden.url)).status).toBe(403);
  });

  test("what can't connect is, and the last error is thrown on", async () => {
    const [running] = [await listening(createServer())];
    await running.close();
    const events: ClientEvent[] = [];
    const api = limitedFetch(fetch, { ...SOON, onEvent: (event) => events.push(event) });
    await expect(api(`http://127.0.0.1:${running.port}/`)).rejects.toThrow("fetch failed");
    expect(events.map(({ type }) => type)).toEqual([
      ...["failed", "retrying", "failed", "retrying", "failed", "retrying", "failed"],
    ]);
  });

  test("all requests together have a budget", async () => {
    const { url, seen } = await statuses([500]);
    const budget = { ratio: 0.1, least: 2 };
    const api = limitedFetch(fetch, { ...SOON, budget, breaker: { failures: 1000 } });
    for (let request = 0; request < 6; request++) await api(url);
    expect(seen.length).toBe(6 + 2);
  });
});

describe("redirects", () => {
  test("what another host says is that one's", async () => {
    const other = await serve((_, response) => {
      response.setHeader("RateLimit", '"other";r=0;t=3600');
      response.end("there");
    });
    const url = await serve((_, response) => {
      response.writeHead(302, { Location: other }).end();
    });
    const api = limitedFetch(fetch, { wait: 1000 });
    expect(await (await api(url)).text()).toBe("there");
    expect(await (await api(url)).text()).toBe("there");
    await expect(api(other)).rejects.toMatchObject({ code: "limited" });
  });
});

describe("what can't be sent at all", () => {
  const broken: readonly [what: string, init: RequestInit & { duplex?: string }][] = [
    ["a header with a line break", { headers: { "X-Name": "ada\nbob" } }],
    ["a method that is none", { method: "a b" }],
    ["a GET with a body", { body: "order" }],
  ];
  test.each(broken)("%s is thrown on at once, and says nothing of the host", async (_, init) => {
    const { url, seen } = await statuses([200]);
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => events.push(event);
    const api = limitedFetch(fetch, { ...SOON, onEvent, breaker: { failures: 1 } });
    await expect(api(url, init)).rejects.toThrow(TypeError);
    expect((await api(url)).status).toBe(200);
    expect([events, seen.length]).toEqual([[], 1]);
  });

  test("neither is a Request that was sent before", async () => {
    const { url, seen } = await statuses([200]);
    const events: ClientEvent[] = [];
    const api = limitedFetch(fetch, { ...SOON, onEvent: (event) => events.push(event) });
    const request = new Request(url, { method: "PUT", body: "order" });
    await request.text();
    await expect(api(request)).rejects.toThrow(TypeError);
    expect([events, seen.length]).toEqual([[], 0]);
  });
});

describe("what the runtime gives up by itself", () => {
  test.each<[what: string, init: RequestInit, path: string, times: number]>([
    ["a redirect without an end", {}, "a", 21],
    ["a redirect that is not to be followed", { redirect: "error" }, "a", 1],
  ])("%s is not sent again, and is no failure of the host", async (_, init, path, times) => {
    let sent = 0;
    const url = await serve((request, response) => {
      sent++;
      response.writeHead(302, { Location: request.url === "/a" ? "/b" : "/a" }).end();
    });
    const events: ClientEvent[] = [];
    const api = limitedFetch(fetch, { ...SOON, onEvent: (event) => events.push(event) });
    await expect(api(url + path, init)).rejects.toThrow(TypeError);
    expect([sent, events]).toEqual([times, []]);
  });
});

describe("a POST that is redirected", () => {
  test("is not sent again, for who has redirected it may have carried it out", async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(request.method ?? "");
      if (request.method === "POST") response.writeHead(303, { Location: "/order/7" }).end();
      else response.writeHead(429, { "Retry-After": "0" }).end();
    });
    const api = limitedFetch(fetch, { ...SOON, repeat: "refused" });
    expect((await api(url, { method: "POST", body: "order" })).status).toBe(429);
    expect(seen).toEqual(["POST", "GET"]);
  });
});

describe("a redirect to a host that refuses", () => {
  test("holds that host, and not the one that was asked", async () => {
    const other = await statuses([429], { "Retry-After": "3600" });
    const url = await serve((request, response) => {
      if (request.url === "/away") response.writeHead(302, { Location: other.url }).end();
      else response.end("here");
    });
    const api = limitedFetch(fetch, { wait: 1000 });
    const response = await api(`${url}away`);
    expect(response.status).toBe(429);
    expect(decisionOf(response)).toMatchObject({ limit: other.url.slice(0, -1) });
    expect(await (await api(url)).text()).toBe("here");
    await expect(api(other.url)).rejects.toMatchObject({ code: "limited" });
    expect(other.seen.length).toBe(1);
  });

  test("is followed again after the wait that it says, and not before", async () => {
    const time = new VirtualScheduler();
    const sent: number[] = [];
    const network = async (_: string) => {
      sent.push(time.elapsed());
      const headers = { "Retry-After": "7" };
      const response = new Response(null, { status: sent.length === 1 ? 429 : 200, headers });
      return Object.defineProperty(response, "url", { value: "https://other.example/" });
    };
    const api = limitedFetch(network, { scheduler: time, random: () => 0 });
    const response = await time.until(api("https://api.example/"));
    expect(response.status).toBe(200);
    expect(sent).toEqual([0, 7000]);
  });

  test("by https alone holds http as well", async () => {
    const time = new VirtualScheduler();
    let sent = 0;
    const network = async (_: string) => {
      sent++;
      const response = new Response(null, { status: 429, headers: { "Retry-After": "3600" } });
      return Object.defineProperty(response, "url", { value: "https://api.example/" });
    };
    const api = limitedFetch(network, { scheduler: time, wait: 1000 });
    await time.until(api("http://api.example/"));
    await expect(api("http://api.example/")).rejects.toMatchObject({ code: "limited" });
    expect(sent).toBe(1);
  });
});

describe("an address", () => {
  test("is of the same host, however it is written", async () => {
    const time = new VirtualScheduler();
    let sent = 0;
    const network = async (url: string) => {
      sent++;
      const headers = { RateLimit: '"default";r=0;t=3600' };
      return Object.defineProperty(new Response(null, { headers }), "url", {
        value: new URL(url).href,
      });
    };
    const api = limitedFetch(network, { scheduler: time, wait: 1000 });
    await time.until(api("https://M\u00fcller.example:443/one"));
    const other = api("https://user@xn--mller-kva.EXAMPLE/two");
    await expect(other).rejects.toMatchObject({ code: "limited" });
    expect(sent).toBe(1);
  });
});

describe("what is not what it should be is refused by name, and sends nothing", () => {
  const cases = [
    ["priority", {}, { priority: "urgent" }],
    ["hostOf", { hostOf: async () => "one" }, {}],
  ] as const;
  test.each(cases)("%s", async (field, options, spillway) => {
    let sent = 0;
    const network = async (_: string, __?: object) => {
      sent++;
      return new Response();
    };
    const api = limitedFetch(network, options as never);
    const error = await api("http://api.example/", { spillway } as never).catch((error) => error);
    expect(error).toMatchObject({ code: "bad-option", field });
    expect(sent).toBe(0);
  });

  test("key", () => {
    const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 1, period: 1000 } });
    const options = { limiter, limit: "api", key: 5 as never } as const;
    expect(() => limitedFetch(fetch, options)).toThrow("key");
  });

  test("a promise for whether to repeat is not a yes", async () => {
    const { url, seen } = await statuses([500, 200]);
    const api = limitedFetch(fetch, { repeat: (async () => false) as never, ...SOON });
    expect((await api(url, { method: "POST", body: "once" })).status).toBe(500);
    expect(seen).toEqual(["POST once"]);
  });
});

describe("a signal", () => {
  test("ends a wait at once, and what is under way", async () => {
    const { url, seen } = await statuses([429], { "Retry-After": "20" });
    const time = new VirtualScheduler();
    const api = limitedFetch(fetch, { scheduler: time, wait: 60_000 });
    const controller = new AbortController();
    const waiting = api(url, { signal: controller.signal });
    while (seen.length === 0) await new Promise(setImmediate);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(api(url, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow(
      "never",
    );
    expect(seen.length).toBe(1);
  });
});
