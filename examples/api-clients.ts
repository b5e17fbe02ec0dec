/**
 * Clients of other people's APIs, as their makers ship them: Octokit and OpenAI's, over one fetch that stays
 * within limits. Both share what is known of a host; neither repeats by itself.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Octokit } from "@octokit/core";
import OpenAI from "openai";
import { RateLimiter } from "spillway";
import { limitedFetch } from "spillway/client";
import { limited } from "spillway/node";

/** The clients of a program, and how often something was sent again. */
export function clientsOf(baseUrl: string) {
  const seen = { again: 0 };
  const api = limitedFetch(fetch, {
    wait: 60_000,
    attempts: 10,
    repeat: "refused", // a POST, too, where it was answered with 429
    onEvent: ({ type }) => {
      if (type === "retrying") seen.again++;
    },
  });
  const octokit = new Octokit({ baseUrl, request: { fetch: api } });
  const openai = new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0, fetch: api });
  return { octokit, openai, seen };
}

/** A server that allows two requests at once, and one more every 200 ms; it counts what it refuses. */
async function server() {
  const limits = { api: { kind: "token bucket", rate: 5, period: "1s", capacity: 2 } } as const;
  const api = limited(new RateLimiter(limits), { limit: "api", key: "all" }, (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"ok":true}');
  });
  const seen = { refused: 0 };
  const server = createServer((request, response) => {
    response.once("finish", () => (seen.refused += response.statusCode === 429 ? 1 : 0));
    api(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function story(): Promise<string[]> {
  const { server: running, seen: served, url } = await server();
  const { octokit, openai, seen } = clientsOf(url);
  const body = { model: "m", messages: [] };
  const asks = [1, 2, 3].flatMap(() => [
    octokit.request("GET /repos").then(({ data }) => data),
    openai.post("/chat/completions", { body }),
  ]);
  const answers = (await Promise.all(asks)) as { readonly ok: boolean }[];
  running.close().closeAllConnections();
  return [
    `${answers.filter(({ ok }) => ok).length} of 6 answered`,
    seen.again === served.refused ? "what was refused was sent again" : "some was not sent again",
  ];
}

if (import.meta.main) console.log((await story()).join("\n"));
