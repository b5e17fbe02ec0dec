/** The routes under limits on Deno. It prints its port. */
import { upgradeWebSocket } from "hono/deno";
import { routes } from "./routes.ts";

Deno.serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ port })),
  },
  routes({
    open: (request, _, closed) => {
      const { socket, response } = Deno.upgradeWebSocket(request);
      socket.addEventListener("message", ({ data }) => socket.send(data));
      socket.addEventListener("close", closed);
      return response;
    },
    upgrade: upgradeWebSocket,
  }),
);
