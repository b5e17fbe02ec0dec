/** What people have already, over a fetch or a dispatcher that keeps to limits. */
import { createServer } from "node:http";
import { Octokit } from "@octokit/core";
import axios from "axios";
import OpenAI from "openai";
import { Agent, request, fetch as undiciFetch } from "undici";
import { expect, test } from "vitest";
import {
  type LimitedFetchOptions,
  limitedFetch,
  limitInterceptor,
} from "../../src/client/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { limited } from "../../src/middleware/node/index.ts";
import { listening } from "../middleware/host.ts";

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
    limiter.limit("api", { key: "client" });
    const sent: number[] = [];
    const api = limited(limiter, { limit: "api", key: "client" }, (_, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end('{"ok":true}');
    });
    const running = await listening(
      createServer((request, response) => {
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
