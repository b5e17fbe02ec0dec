/** 202, a status that is asked for until it is done, and refusals: over real servers of each framework. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterEach, describe, expect, test } from "vitest";
import {
  cancelAnswer,
  Deferred,
  failureAnswer,
  type HttpAnswer,
  jobAnswer,
  jobId,
  memoryQueue,
  submissionAnswer,
} from "../../src/deferred/index.ts";
import { RateLimiter, SpillwayError } from "../../src/index.ts";

/** What a framework's adapter has to do. */
type Site = {
  readonly mailing: Deferred;
  answer(method: string, path: string, request: Asked): Promise<HttpAnswer>;
};
type Asked = { readonly key: string | undefined; readonly body: unknown };

function site(limit = { rate: 20, period: 1000, capacity: 3 }): Site {
  const limiter = new RateLimiter({ mailing: { kind: "leaky bucket", ...limit } });
  const mailing = new Deferred({ limiter, limit: "mailing", queue: memoryQueue(), maxBytes: 1000 });
  const location = (id: string) => `/mailings/${id}`;
  const act = async (method: string, path: string, { key, body }: Asked): Promise<HttpAnswer> => {
    const id = path.split("/")[2] ?? "";
    if (method === "GET") return jobAnswer(await mailing.find(id));
    if (method === "DELETE") return cancelAnswer(await mailing.cancel(id));
    const options = key === undefined ? {} : { id: jobId("ada", key) };
    return submissionAnswer(await mailing.submit(body, options), { location });
  };
  return {
    mailing,
    answer: async (...request) => {
      try {
        return await act(...request);
      } catch (error) {
        const answer = failureAnswer(error);
        if (answer === undefined) throw error;
        return answer;
      }
    },
  };
}

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function urlOf(server: Server): Promise<string> {
  if (!server.listening)
    await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(0)));
  open.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const HOSTS: { readonly [name: string]: (site: Site) => Promise<string> } = {
  express: async ({ answer }) => {
    const app = express().use(express.json());
    app.use(async (request, response) => {
      const asked = { key: request.get("Idempotency-Key"), body: request.body };
      const { status, headers, body } = await answer(request.method, request.path, asked);
      response.status(status).set(headers).send(body);
    });
    return urlOf(createServer(app));
  },
  fastify: async ({ answer }) => {
    const app = fastify();
    app.all("/*", async (request, reply) => {
      const key = request.headers["idempotency-key"] as string | undefined;
      const { status, headers, body } = await answer(request.method, request.url, {
        key,
        body: request.body,
      });
      return reply.code(status).headers(headers).send(body);
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return urlOf(app.server);
  },
  hono: async ({ answer }) => {
    const app = new Hono().all("/*", async (c) => {
      const body = c.req.method === "POST" ? await c.req.json() : undefined;
      const asked = { key: c.req.header("Idempotency-Key"), body };
      const response = await answer(c.req.method, c.req.path, asked);
      return new Response(response.body, response);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve());
    await promise;
    return urlOf(server as Server);
  },
};

const post = (url: string, body: unknown, headers = {}) =>
  fetch(`${url}/mailings`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });

describe.each(Object.keys(HOSTS))("over %s", (name) => {
  test("work is accepted, asked for until it is done, and refused when the line is full", async () => {
    const here = site();
    const url = await (HOSTS[name] as (site: Site) => Promise<string>)(here);
    const first = await post(url, { to: "ada" });
    expect(first.status).toBe(202);
    const where = first.headers.get("Location") ?? "";
    expect(await first.json()).toMatchObject({ state: "queued", startsIn: 0 });
    expect(first.headers.get("Retry-After")).toBe("1");

    const again = await post(url, { to: "grace" }, { "Idempotency-Key": "7" });
    const twice = await post(url, { to: "grace" }, { "Idempotency-Key": "7" });
    expect(twice.headers.get("Location")).toBe(again.headers.get("Location"));

    const cancelled = await fetch(url + again.headers.get("Location"), { method: "DELETE" });
    expect(cancelled.status).toBe(200);
    expect(await cancelled.json()).toMatchObject({ state: "cancelled" });

    here.mailing.work(({ data }) => ({ sent: data }));
    let status: { state?: string; result?: unknown } = {};
    while (status.state !== "done")
      status = (await (await fetch(url + where)).json()) as typeof status;
    expect(status).toMatchObject({ result: { sent: { to: "ada" } } });
    expect((await fetch(url + where, { method: "DELETE" })).status).toBe(409);
    expect((await fetch(`${url}/mailings/nonsense`)).status).toBe(404);
  });
});

test("a full line is a 429, large work a 413, and none of it says why work failed", async () => {
  const { answer, mailing } = site({ rate: 1, period: 60_000, capacity: 1 });
  const ask = (body: unknown) => answer("POST", "/mailings", { key: undefined, body });
  expect((await ask("first")).status).toBe(202);
  const full = await ask("second");
  expect(full.status).toBe(429);
  expect(full.headers).toMatchObject({
    "Content-Type": "application/problem+json",
    "Retry-After": "60",
  });
  expect(JSON.parse(full.body)).toMatchObject({ status: 429, "violated-policies": ["mailing"] });
  expect((await ask("x".repeat(1001))).status).toBe(413);
  expect((await ask(undefined)).status).toBe(400);
  const failed = {
    id: "x",
    state: "failed",
    startAt: 0,
    wait: 0,
    result: undefined,
    error: "secret",
  } as const;
  expect(jobAnswer(failed).body).not.toContain("secret");
  expect(failureAnswer(new Error("of the program's own"))).toBeUndefined();
  const down = new SpillwayError({ code: "queue-failed", expected: "down" });
  expect(failureAnswer(down)).toMatchObject({ status: 503, headers: { "Retry-After": "1" } });
  expect(await mailing.find(jobId("nobody"))).toBeUndefined();
});

test("why a job can't be cancelled is true of jobs that wait to start again", async () => {
  const limiter = new RateLimiter({
    mailing: { kind: "leaky bucket", rate: 1, period: 60_000, capacity: 3 },
  });
  const queue = memoryQueue({ attempts: 2 });
  const mailing = new Deferred({ limiter, limit: "mailing", queue });
  const { promise, resolve } = Promise.withResolvers<void>();
  const worker = mailing.work(() => {
    resolve();
    throw new Error("the first attempt fails");
  });
  const id = jobId("ada");
  await mailing.submit("letter", { id });
  await promise;
  await worker.close();
  const job = await mailing.cancel(id);
  expect(job?.state).toBe("queued");
  const { status, body } = cancelAnswer(job);
  expect([status, JSON.parse(body).detail]).toEqual([
    409,
    "A worker has received the job, which waits to start again: it can't be cancelled any more.",
  ]);
});

test("ids of requests are UUIDs, always the same, and different for different parts", () => {
  expect(jobId("ada", "7")).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(jobId("ada", "7")).toBe(jobId("ada", "7"));
  expect(jobId("ada7", "")).not.toBe(jobId("ada", "7"));
});
