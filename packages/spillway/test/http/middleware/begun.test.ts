/** Responses that others have begun, or ended, before the limits have decided. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import express from "express";
import { expect, test } from "vitest";
import { limited as expressLimited } from "../../../src/http/middleware/express/index.ts";
import { limited } from "../../../src/http/middleware/node/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { listening } from "./host.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;
type Limited = (handler: Handler) => Handler;

const key = async () => "all";

/** A limiter that refuses everything, or nothing. */
function limiterOf(rate: number) {
  return new RateLimiter({ search: { kind: "token bucket", rate, period: "1d" } });
}

const ADAPTERS: readonly (readonly [name: string, (rate: number) => Limited])[] = [
  ["node", (rate) => (handler) => limited(limiterOf(rate), { limit: "search", key }, handler)],
  [
    "express",
    (rate) => (handler) => {
      const app = express().set("env", "test").disable("x-powered-by");
      return app.use(expressLimited(limiterOf(rate), { limit: "search", key }), handler);
    },
  ],
];

for (const [name, make] of ADAPTERS) {
  test(`${name}: a response that has begun is broken off where the limits refuse`, async () => {
    const limitedHandler = make(0)(() => expect.unreachable());
    const running = await listening(
      createServer((request, response) => {
        response.write("begun");
        limitedHandler(request, response);
      }),
    );
    const answer = await fetch(`http://127.0.0.1:${running.port}/`);
    await expect(answer.text()).rejects.toThrow("terminated");
    await running.close();
  });

  test(`${name}: a response that was ended meanwhile does not reach the handler`, async () => {
    let served = 0;
    const limitedHandler = make(5)(() => served++);
    const running = await listening(
      createServer((request, response) => {
        limitedHandler(request, response);
        response.end("too slow");
      }),
    );
    const answer = await fetch(`http://127.0.0.1:${running.port}/`);
    expect([await answer.text(), served]).toEqual(["too slow", 0]);
    await running.close();
  });
}
