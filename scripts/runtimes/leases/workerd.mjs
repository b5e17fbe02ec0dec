/** The routes under limits on workerd. */
import { upgradeWebSocket } from "hono/cloudflare-workers";
import { routes } from "./routes.ts";

export default {
  fetch: routes({
    open: (_request, _env, closed) => {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      server.addEventListener("message", ({ data }) => server.send(data));
      server.addEventListener("close", closed);
      return new Response(null, { status: 101, webSocket: client });
    },
    upgrade: upgradeWebSocket,
  }),
};
