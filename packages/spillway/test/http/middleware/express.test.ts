import { createServer } from "node:http";
import express from "express";
import { expect, test } from "vitest";
import { limited } from "../../../src/http/middleware/express/index.ts";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { describeBehaviour } from "./behaviour.ts";
import { listening } from "./host.ts";
import { expressHosts } from "./hosts/express.ts";
import { describeRaces } from "./races.ts";

for (const host of expressHosts) {
  describeBehaviour(host);
  describeRaces(host);
}

test("an answer of one's own that fails reaches the error handlers, whatever promises it", async () => {
  const limiter = new RateLimiter({ search: { kind: "token bucket", rate: 1, period: MINUTE } });
  const onLimited = () => ({
    // biome-ignore lint/suspicious/noThenProperty: as promises of other makers have it
    then: (_: unknown, fail: (error: Error) => void) => fail(Error("no")),
  });
  const app = express().use(limited(limiter, { limit: "search", count: 2, onLimited }));
  app.use(((error, _request, response, _next) => {
    response.status(418).end(error.message);
  }) as express.ErrorRequestHandler);
  const running = await listening(createServer(app));
  try {
    const response = await fetch(`http://127.0.0.1:${running.port}`);
    expect([response.status, await response.text()]).toEqual([418, "no"]);
  } finally {
    await running.close();
  }
});

test("what `next` returns is not waited for, and not passed to it again", async () => {
  const limiter = new RateLimiter({ search: { kind: "token bucket", rate: 9, period: MINUTE } });
  const middleware = limited(limiter, { limit: "search" });
  const errors: unknown[] = [];
  const next = (error?: unknown) => {
    errors.push(error);
    const failed = Promise.reject(new Error("of a later handler, which the framework handles"));
    failed.catch(() => {});
    return failed;
  };
  const server = createServer((request, response) => {
    middleware(request, response, next);
    setImmediate(() => response.end());
  });
  const running = await listening(server);
  try {
    await fetch(`http://127.0.0.1:${running.port}`);
    expect(errors).toEqual([undefined]);
  } finally {
    await running.close();
  }
});
