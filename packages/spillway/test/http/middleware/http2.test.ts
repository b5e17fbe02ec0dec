/** Limits for node:http2, by its compatibility API. */
import { once } from "node:events";
import {
  connect,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { ResponseOutcome } from "../../../src/http/guard/index.ts";
import { limited } from "../../../src/http/middleware/node/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { MINUTE } from "../../../src/limits/core/index.ts";

const LIMITS = {
  login: { kind: "token bucket", rate: 2, period: 2 * MINUTE },
  reports: { kind: "concurrency", capacity: 3, ttl: MINUTE },
} as const;

test("streams are admitted, broken off and refused", async () => {
  const limiter = new RateLimiter(LIMITS);
  const outcomes: ResponseOutcome[] = [];
  const settle = (outcome: ResponseOutcome) => void outcomes.push(outcome) as undefined;
  const route = { limits: [{ limit: "login", settle }, { limit: "reports" }] } as const;
  const handle = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    if (request.url === "/endless") response.write("some");
    else response.end("all");
  };
  const server = createServer(limited(limiter, route, handle)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const statusOf = async (path: string, method = "GET") => {
    const stream = client.request({ ":path": path, ":method": method });
    const [headers] = await once(stream, "response");
    stream.on("data", () => path === "/endless" && stream.close());
    await once(stream, "close");
    return headers[":status"];
  };
  expect([await statusOf("/"), await statusOf("/endless"), await statusOf("/")]).toEqual([
    200, 200, 429,
  ]);
  expect(await statusOf("/", "HEAD")).toBe(429);
  client.close();
  server.close();
  await once(server, "close");
  expect(outcomes).toEqual([
    { status: 200, finished: true },
    { status: 200, finished: false },
  ]);
  expect(limiter.value("reports", { key: "127.0.0.1" }).remaining).toBe(3);
});
