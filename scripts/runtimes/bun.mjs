/** The server on Bun. It prints its port. */
import { Database } from "bun:sqlite";
import { memoryStore } from "spillway/memory";
import { sqliteStore } from "spillway/sqlite";
import { postgres, redis } from "./servers.ts";
import { site } from "./site.ts";

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: site({
    stores: {
      memory: memoryStore(),
      sqlite: sqliteStore(new Database(":memory:")),
      redis,
      postgres,
    },
    peer: (request, server) => server.requestIP(request)?.address,
  }),
});
console.log(JSON.stringify({ port: server.port }));
