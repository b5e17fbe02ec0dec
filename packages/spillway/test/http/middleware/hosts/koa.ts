import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { json } from "node:stream/consumers";
import Koa from "koa";
import { type KoaRoute, type Limited, limited } from "../../../../src/http/middleware/koa/index.ts";
import { type AnyRoute, type Host, listening, nodeHeader, type Reply } from "../host.ts";

type Context = Koa.ParameterizedContext<Limited>;

/** Koa 3. */
export const koaHost: Host = {
  name: "koa",
  header: ({ req }: Context, name) => nodeHeader(req, name),
  start: ({ limiter, routes, handle }) => {
    const app = new Koa<Limited>();
    app.silent = true;
    app.use(parsed);
    for (const route of routes) app.use(limited(limiter, ofKoa(route)));
    app.use(async (context) => respond(context, await handle(context.state.spillway)));
    return listening(createServer(app.callback()));
  },
};

/** What a parser of bodies does. */
async function parsed({ req, request }: Context, next: () => Promise<unknown>): Promise<unknown> {
  if (req.headers["content-type"] === "application/json") {
    Object.assign(request, { body: await json(req) });
  }
  return next();
}

function respond(context: Context, reply: Reply): void {
  const { status = 200, headers = {} } = reply;
  context.status = status;
  context.set(headers);
  context.body = bodyOf(reply);
}

function bodyOf({ body = "ok", until }: Reply): string | PassThrough {
  if (until === undefined) return body;
  const stream = new PassThrough();
  stream.write(body);
  until.then(() => stream.end(body));
  return stream;
}

function ofKoa({ ownAnswer, ...route }: AnyRoute): KoaRoute<Context> {
  if (ownAnswer === undefined) return route;
  return {
    ...route,
    onLimited: (context) => {
      context.body = ownAnswer;
    },
  };
}
