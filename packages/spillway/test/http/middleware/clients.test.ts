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
import { limited } from "../../../src/http/middleware/node/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
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
    // Its pauses are 1, 4 and 9 of these: no longer than they have to be.
    const octokit = new Retrying({ baseUrl: url, log: SILENT, retry: { retryAfterBaseValue: 1 } });
    return (await octokit.request("GET /rate")).data;
  },
};

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** What a client is told at last, and what it was answered by a server whose limit of one request in `period` ms is used up. */
async function statuses(client: Client, period: number) {
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
  const told = await client(`http://127.0.0.1:${running.port}`).catch((error) => error);
  await running.close();
  return { told, sent };
}

describe.concurrent("a client", () => {
  test.each(Object.entries(CLIENTS))("%s comes back once, when it is served", async (_, client) => {
    expect(await statuses(client, 1900)).toMatchObject({ told: { ok: true }, sent: [429, 200] });
  });

  test.each(Object.entries(OWN_PACE))("%s comes back in its own time", async (_, client) => {
    const sent = Array(4).fill(429);
    // An hour: it would not have come back yet.
    expect(await statuses(client, 3_600_000)).toMatchObject({ told: { status: 429 }, sent });
  });
});
