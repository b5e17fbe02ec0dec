/** The real hono-rate-limiter with a store of this library. */
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { honoRateLimiterStore } from "../../../src/http/moving/hono-rate-limiter-store/index.ts";
import { hitStoreTests } from "./hit-stores.ts";

hitStoreTests({
  store: (options) => honoRateLimiterStore(options),
  async serve(options) {
    const app = new Hono();
    app.use(rateLimiter({ keyGenerator: (c) => c.req.header("x-user") ?? "", ...options }));
    app.get("/", (c) => c.body(null, Number(c.req.header("x-answer") ?? 200) as 200));
    return getRequestListener(app.fetch);
  },
});
