/** The worker on workerd, which is what Cloudflare Workers run on. */
import { memoryStore } from "spillway/memory";
import { site } from "./site.ts";

export default {
  fetch: site({
    stores: { memory: memoryStore() },
    peer: (request) => request.headers.get("CF-Connecting-IP") ?? undefined,
    honoPeer: (c) => c.req.header("CF-Connecting-IP"),
  }),
};
