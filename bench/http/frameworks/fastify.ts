import type { Server } from "node:http";
import rateLimit, { type RateLimitOptions } from "@fastify/rate-limit";
import {
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  type RouteShorthandOptions,
} from "fastify";
import { Redis } from "ioredis";
import { limited, spillway } from "spillway/fastify";
import type { Framework } from "../framework.ts";
import { ADMITTED, AMPLE, BODY, REFUSED, SCARCE } from "../requests.ts";
import { keyOf, limiterAt, routes } from "../spillway.ts";

const answer = async () => BODY;

async function serve(
  app: FastifyInstance,
  admitted: RouteShorthandOptions = {},
  refused: RouteShorthandOptions = {},
): Promise<Server> {
  app.get(ADMITTED, admitted, answer);
  app.get(REFUSED, refused, answer);
  await app.ready();
  return app.server;
}

function usual({ rate, period }: { readonly rate: number; readonly period: number }) {
  // A route forgets keys beyond 5000 otherwise, the refused ones included.
  const kept = { cache: 20_000, keyGenerator: keyOf };
  const rateLimit: RateLimitOptions = { max: rate, timeWindow: period, ...kept };
  return { config: { rateLimit } };
}

export const fastifyFramework: Framework = {
  peer: "@fastify/rate-limit",
  bare: () => serve(fastify()),
  async spillway(place) {
    const limiter = limiterAt(place);
    const { admitted, refused } = routes<FastifyRequest>(keyOf);
    const app = fastify();
    await app.register(spillway, { limiter });
    return serve(app, { config: { spillway: admitted } }, { config: { spillway: refused } });
  },
  async usual({ redis }) {
    const app = fastify();
    const kept = redis === undefined ? {} : { redis: new Redis(redis) };
    await app.register(rateLimit, { global: false, ...kept });
    return serve(app, usual(AMPLE), usual(SCARCE));
  },
  likened: {
    async "spillway, a hook of the route"() {
      const limiter = limiterAt({});
      const { admitted, refused } = routes<FastifyRequest>(keyOf);
      const hookOf = (route: typeof admitted | typeof refused) => ({
        onRequest: limited(limiter, route),
      });
      return serve(fastify(), hookOf(admitted), hookOf(refused));
    },
  },
};
