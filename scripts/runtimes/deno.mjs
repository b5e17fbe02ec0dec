/** The server on Deno. It prints its port. */
import { DatabaseSync } from "node:sqlite";
import { memoryStore } from "spillway/memory";
import { sqliteStore } from "spillway/sqlite";
import { postgres, redis } from "./servers.ts";
import { site } from "./site.ts";

Deno.serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ port })),
  },
  site({
    stores: {
      memory: memoryStore(),
      sqlite: sqliteStore(new DatabaseSync(":memory:")),
      redis,
      postgres,
    },
    peer: (_, info) => info.remoteAddr.hostname,
  }),
);
