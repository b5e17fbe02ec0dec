/** A Fastify server, for peers that need one. */
import { type FastifyInstance, fastify } from "fastify";
import { PATHS } from "../arrivals.ts";
import type { Work } from "../works/work.ts";

/** What stands before the guarded routes: hooks and plugins on a scope of their own. */
export type Guard = (scope: FastifyInstance) => unknown;

/** Listens on a free port of the loopback. Health checks are outside of what is guarded. */
export async function listenFastify(guard: Guard, work: Work): Promise<number> {
  const app = fastify();
  app.get(PATHS.health, () => "done");
  await app.register(async (scope) => {
    await guard(scope);
    scope.get(PATHS.work, async () => {
      await work();
      return "done";
    });
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  return Number(new URL(address).port);
}
