/** What people have already, over a fetch or a dispatcher that keeps to limits. */
import { once } from "node:events";
import { createServer } from "node:http";
import { Octokit } from "@octokit/core";
import axios from "axios";
import OpenAI from "openai";
import { Agent, interceptors, request, stream, fetch as undiciFetch } from "undici";
import { describe, expect, test } from "vitest";
import {
  type ClientEvent,
  type LimitedFetchOptions,
  limitedFetch,
  limitInterceptor,
} from "../../src/client/index.ts";
import { limited } from "../../src/http/middleware/node/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { listening } from "../http/middleware/host.ts";

type Client = (url: string, options: LimitedFetchOptions) => Promise<unknown>;

const CLIENTS: { readonly [name: string]: Client } = {
  "undici's request": async (url, options) => {
    const dispatcher = new Agent().compose(limitInterceptor(options));
    const { body } = await request(url, { dispatcher });
    return body.json();
  },
  "undici's request with a body": async (url, options) => {
    const dispatcher = new Agent().compose(limitInterceptor(options));
    const { body } = await request(url, { dispatcher, method: "PUT", body: '{"ok":true}' });
    return body.json();
  },
  "undici's fetch, with a dispatcher": async (url, options) => {
    const dispatcher = new Agent().compose(limitInterceptor(options));
    return (await undiciFetch(url, { dispatcher })).json();
  },
  "undici's fetch": async (url, options) => (await limitedFetch(undiciFetch, options)(url)).json(),
  axios: async (url, options) => {
    const client = axios.create({ adapter: "fetch", env: { fetch: limitedFetch(fetch, options) } });
    return (await client.get(url)).data;
  },
  Octokit: async (url, options) => {
    const octokit = new Octokit({ baseUrl: url, request: { fetch: limitedFetch(fetch, options) } });
    return (await octokit.request("GET /rate")).data;
  },
  openai: async (url, options) => {
    const api = limitedFetch(fetch, { ...options, repeat: "refused" });
    const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0, fetch: api });
    return client.post("/chat/completions", { body: { model: "m", messages: [] } });
  },
};

test.concurrent.each(Object.entries(CLIENTS))(
  "%s comes back once, when it is served",
  async (_, client) => {
    const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 1, period: "900ms" } });
    const sent: number[] = [];
    const api = limited(limiter, { limit: "api", key: "client" }, (_, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end('{"ok":true}');
    });
    const running = await listening(
      createServer((request, response) => {
        // Now, however long the client took to come.
        if (sent.length === 0) limiter.limit("api", { key: "client" });
        response.once("close", () => sent.push(response.statusCode));
        response.setHeader("Connection", "close");
        api(request, response);
      }),
    );
    expect(await client(`http://127.0.0.1:${running.port}`, {})).toMatchObject({ ok: true });
    await running.close();
    expect(sent).toEqual([429, 200]);
  },
);

test("undici's request gets the refusal that its wait does not reach", async () => {
  const running = await listening(
    createServer((_, response) => {
      response.writeHead(429, { "Retry-After": "3600", Connection: "close" }).end("later");
    }),
  );
  const dispatcher = new Agent().compose(limitInterceptor({ wait: 1000 }));
  const url = `http://127.0.0.1:${running.port}/`;
  const { statusCode, body } = await request(url, { dispatcher });
  expect([statusCode, await body.text()]).toEqual([429, "later"]);
  await expect(request(url, { dispatcher })).rejects.toMatchObject({ code: "limited" });
  await running.close();
});

test("a limitedFetch over a dispatcher with limits rejects with what that one has refused", async () => {
  let sent = 0;
  const running = await listening(
    createServer((_, response) => {
      sent++;
      response.writeHead(429, { "Retry-After": "3600", Connection: "close" }).end("later");
    }),
  );
  const dispatcher = new Agent().compose(limitInterceptor({ wait: 1000 }));
  const url = `http://127.0.0.1:${running.port}/`;
  await (await request(url, { dispatcher })).body.dump();
  const events: ClientEvent[] = [];
  const below = (url: string) => undiciFetch(url, { dispatcher });
  const api = limitedFetch(below, { onEvent: (event) => events.push(event) });
  await expect(api(url)).rejects.toMatchObject({ code: "limited", decision: { ok: false } });
  expect([sent, events]).toEqual([1, []]);
  await running.close();
});

describe("undici's request", () => {
  const refuseAll = () =>
    listening(
      createServer((_, response) => {
        response.writeHead(429, { "Retry-After": "2", Connection: "close" }).end("later");
      }),
    );

  test("that waits ends as soon as it is broken off", async () => {
    const running = await refuseAll();
    const dispatcher = new Agent().compose(limitInterceptor({ wait: 60_000 }));
    const url = `http://127.0.0.1:${running.port}/`;
    const controller = new AbortController();
    const refused = once(controller.signal, "abort");
    const waiting = limitInterceptor({
      wait: 60_000,
      onEvent: ({ type }) => type === "retrying" && controller.abort(new Error("enough")),
    });
    const { signal } = controller;
    const patient = new Agent().compose(waiting);
    await expect(request(url, { dispatcher: patient, signal })).rejects.toThrow("enough");
    await refused;
    await expect(request(url, { dispatcher, signal })).rejects.toThrow("enough");
    await running.close();
  });

  test("ends with what the program throws when the answer begins", async () => {
    const running = await listening(
      createServer((_, response) => {
        response.setHeader("Connection", "close");
        response.end("served");
      }),
    );
    const dispatcher = new Agent().compose(limitInterceptor());
    const broken = stream(
      `http://127.0.0.1:${running.port}/`,
      { method: "GET", dispatcher },
      () => {
        throw new Error("no room");
      },
    );
    await expect(broken).rejects.toThrow("no room");
    await running.close();
  });

  test("that is under way ends on the server as well", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const controller = new AbortController();
    const running = await listening(
      createServer((request) => {
        closed = once(request.socket, "close");
        controller.abort(new Error("enough"));
      }),
    );
    const dispatcher = new Agent().compose(limitInterceptor());
    const url = `http://127.0.0.1:${running.port}/`;
    const { signal } = controller;
    await expect(request(url, { dispatcher, signal })).rejects.toThrow("enough");
    await closed;
    await running.close();
  });

  test.each([
    ["an answer", 10],
    ["a long one", 30],
    ["one that never ends", Number.POSITIVE_INFINITY],
  ])("is served by its only connection after a refusal whose body is %s", async (_, chunks) => {
    let sent = 0;
    const running = await listening(
      createServer((_, response) => {
        if (sent++ > 0) return void response.writeHead(200, { Connection: "close" }).end("served");
        response.writeHead(429, { "retry-after-ms": "10" });
        let left = chunks;
        const write = () => {
          while (left-- > 0) if (!response.write("x".repeat(8192))) return;
          response.end();
        };
        response.on("drain", write);
        write();
      }),
    );
    const agent = new Agent({ connections: 1 });
    const dispatcher = agent.compose(limitInterceptor());
    const { body } = await request(`http://127.0.0.1:${running.port}/`, { dispatcher });
    expect(await body.text()).toBe("served");
    await agent.close();
    await running.close();
  });

  test("gives back what is in flight when its body is over", async () => {
    let end = () => {};
    const running = await listening(
      createServer((_, response) => {
        response.writeHead(200, { Connection: "close" }).write("ser");
        end = () => response.end("ved");
      }),
    );
    const limiter = new RateLimiter({ api: { kind: "concurrency", capacity: 1, ttl: "1m" } });
    const dispatcher = new Agent().compose(limitInterceptor({ limiter, limit: "api", key: "a" }));
    const url = `http://127.0.0.1:${running.port}/`;
    const left = () => limiter.value("api", { key: "a" }).remaining;
    const { body } = await request(url, { dispatcher });
    expect(left()).toBe(0);
    end();
    expect(await body.text()).toBe("served");
    expect(left()).toBe(1);
    await running.close();
  });

  test("that undici itself does not send is an error at once, and says nothing of the host", async () => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => events.push(event);
    const dispatcher = new Agent().compose(limitInterceptor({ onEvent }));
    const headers = { "X-Name": "ada\nbob" };
    await expect(request("http://127.0.0.1:1/", { dispatcher, headers })).rejects.toMatchObject({
      code: "UND_ERR_INVALID_ARG",
    });
    expect(events).toEqual([]);
  });

  test("that is redirected waits for the host that it is redirected to", async () => {
    const refusing = await refuseAll();
    const target = `http://127.0.0.1:${refusing.port}/`;
    const first = await listening(
      createServer((_, response) => {
        response.writeHead(302, { Location: target, Connection: "close" }).end();
      }),
    );
    const limited = limitInterceptor({ wait: 1000 });
    const redirect = interceptors.redirect({ maxRedirections: 3 });
    const dispatcher = new Agent().compose(limited, redirect);
    const url = `http://127.0.0.1:${first.port}/`;
    const { statusCode, body } = await request(url, { dispatcher });
    expect(statusCode).toBe(429);
    await body.dump();
    // It is the other host that has said to wait: the hop there is not sent again.
    await expect(request(url, { dispatcher })).rejects.toMatchObject({ code: "limited" });
    await Promise.all([first.close(), refusing.close()]);
  });
});
