/**
 * Clients that people have, against a server that uses ours: how many requests they send, and that they
 * come back neither too early nor for nothing.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import axios from "axios";
import axiosRetry from "axios-retry";
import got from "got";
import ky from "ky";
import OpenAI from "openai";
import { Agent, RetryAgent, fetch as undiciFetch } from "undici";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import { limited } from "../../src/middleware/node/index.ts";
import { listening } from "./host.ts";

/** Asks once, in its own way, and resolves with what it is told at last. */
type Client = (url: string) => Promise<unknown>;

const CLIENTS: { readonly [name: string]: Client } = {
  ky: (url) => ky(url).json(),
  got: (url) => got(url).json(),
  "axios-retry": async (url) => {
    const client = axios.create();
    const retryCondition = axiosRetry.isRetryableError;
    axiosRetry(client, { retryDelay: axiosRetry.exponentialDelay, retryCondition });
    return (await client.get(url)).data;
  },
  "undici's RetryAgent": async (url) => {
    const dispatcher = new RetryAgent(new Agent());
    return (await undiciFetch(url, { dispatcher })).json();
  },
  openai: async (url) => new OpenAI({ baseURL: url, apiKey: "none" }).get("/models"),
};

/** These take no notice of Retry-After: with a wait that is longer than theirs, they come in vain. */
const OWN_PACE: { readonly [name: string]: Client } = {
  "Octokit's retry plugin": async (url) => {
    const Retrying = Octokit.plugin(retry);
    const octokit = new Retrying({ baseUrl: url, log: SILENT });
    return (await octokit.request("GET /rate")).data;
  },
};

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Runs a client against a server whose limit of one request in `period` ms is used up. */
async function statuses(client: Client, period: number): Promise<readonly number[]> {
  const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 1, period } });
  limiter.limit("api", { key: "client" });
  const sent: number[] = [];
  const api = limited(limiter, { limit: "api", key: "client" }, (_, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end('{"ok":true}');
  });
  const running = await listening(
    createServer((request: IncomingMessage, response: ServerResponse) => {
      response.once("close", () => sent.push(response.statusCode));
      response.setHeader("Connection", "close");
      api(request, response);
    }),
  );
  expect(await client(`http://127.0.0.1:${running.port}`)).toMatchObject({ ok: true });
  await running.close();
  return sent;
}

describe.concurrent("a client", () => {
  test.each(Object.entries(CLIENTS))("%s comes back once, when it is served", async (_, client) => {
    expect(await statuses(client, 1900)).toEqual([429, 200]);
  });

  test.each(Object.entries(OWN_PACE))("%s comes back in its own time", async (_, client) => {
    expect(await statuses(client, 1900)).toEqual([429, 429, 200]);
  });
});
