/** The routes under limits on Bun. It prints its port. */
import { upgradeWebSocket, websocket } from "hono/bun";
import { routes } from "./routes.ts";

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  // Nobody is to be cut off while a test looks at them.
  idleTimeout: 0,
  fetch: routes({
    // `closed` is for other runtimes: Bun aborts a request whose WebSocket ends.
    open: (request, server) => {
      const events = { onMessage: ({ data }, ws) => ws.send(data) };
      if (server.upgrade(request, { data: { events } })) return undefined;
      return new Response("no WebSocket", { status: 400 });
    },
    upgrade: upgradeWebSocket,
  }),
  websocket,
});
console.log(JSON.stringify({ port: server.port }));
