import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { limited } from "../../../src/http/middleware/node/index.ts";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { describeBehaviour } from "./behaviour.ts";
import { listening } from "./host.ts";
import { nodeHost } from "./hosts/node.ts";
import { describeRaces } from "./races.ts";

describeBehaviour(nodeHost);
describeRaces(nodeHost, { aborted: 10_000 });

test("a refusal that can't be thrown to anybody is answered", async () => {
  const limiter = new RateLimiter({ search: { kind: "token bucket", rate: 1, period: MINUTE } });
  // Not an option of this adapter, but one of others: JavaScript may pass it.
  const route = { limit: "search", count: 2, throws: true } as const;
  const handle = (_: IncomingMessage, response: ServerResponse) => response.end("served");
  const listener = limited(limiter, route, handle);
  const running = await listening(createServer(listener));
  try {
    const signal = AbortSignal.timeout(5000);
    expect((await fetch(`http://127.0.0.1:${running.port}`, { signal })).status).toBe(429);
  } finally {
    await running.close();
  }
});
