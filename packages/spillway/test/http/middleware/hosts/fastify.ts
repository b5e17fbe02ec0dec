import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  type FastifyRoute,
  limited,
  spillway,
} from "../../../../src/http/middleware/fastify/index.ts";
import type { UncheckedFastifyReply } from "../../../../src/http/middleware/fastify/route.ts";
import type { AnyRoute, Handler, Host, Reply, Running, Site } from "../host.ts";

/** What comes before the body is read. */
const EARLY = {
  "a key that reads a body which lacks the field": "the body is read after it",
  "a key that reads a body": "the body is read after it",
};

/** The hook, early and late, and the plugin. */
export const fastifyHosts: readonly Host[] = [
  hostOf(
    "fastify, onRequest",
    (app, { limiter, routes }) => {
      for (const route of routes) app.addHook("onRequest", limited(limiter, ofFastify(route)));
      return {};
    },
    EARLY,
  ),
  hostOf("fastify, preHandler", (_, { limiter, routes }) => ({
    preHandler: routes.map((route) => limited(limiter, ofFastify(route))),
  })),
  hostOf(
    "fastify, plugin",
    (app, { limiter, routes }) => {
      const [first = { limits: [] }, ...more] = routes;
      app.register(spillway, { limiter });
      return {
        config: { spillway: ofFastify(first) },
        onRequest: more.map((route) => limited(limiter, ofFastify(route))),
      };
    },
    EARLY,
  ),
];

type Options = Partial<Parameters<FastifyInstance["route"]>[0]>;

function hostOf(
  name: string,
  guard: (app: FastifyInstance, site: Site) => Options,
  lacks: NonNullable<Host["lacks"]> = {},
): Host {
  return {
    name,
    lacks,
    header: (request: FastifyRequest, header) => request.headers[header]?.toString(),
    start: async (site) => {
      const app = fastify();
      const options = guard(app, site);
      app.route({
        ...options,
        method: app.supportedMethods,
        url: "*",
        handler: (request, reply) => respond(reply, site.handle, request.spillway),
      });
      return running(app);
    },
  };
}

async function respond(reply: FastifyReply, handle: Handler, decision: Parameters<Handler>[0]) {
  const answer = await handle(decision);
  const { status = 200, headers = {} } = answer;
  return reply.code(status).headers(headers).send(bodyOf(answer));
}

function bodyOf({ body = "ok", until }: Reply): string | Readable {
  if (until === undefined) return body;
  return Readable.from(
    (async function* () {
      yield body;
      await until;
      yield body;
    })(),
  );
}

function ofFastify({
  ownAnswer,
  ...route
}: AnyRoute): FastifyRoute<FastifyRequest, UncheckedFastifyReply> {
  if (ownAnswer === undefined) return route;
  return { ...route, onLimited: () => ownAnswer };
}

async function running(app: FastifyInstance): Promise<Running> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { server } = app;
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    await closed;
    await app.close();
  };
  const connections = async () => promisify(server.getConnections.bind(server))();
  return { port, connections, close };
}
