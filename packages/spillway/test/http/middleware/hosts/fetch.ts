import { createServer, type IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type FetchRoute, limited } from "../../../../src/http/middleware/fetch/index.ts";
import { type AnyRoute, type Handler, type Host, listening, type Reply } from "../host.ts";

/** What the server passes beside a request. */
type Env = { readonly incoming: IncomingMessage };
type Handle = (request: Request, env: Env) => Response | Promise<Response>;

/** `(Request) => Response`, behind the server of `@hono/node-server`. */
export const fetchHost: Host = {
  name: "fetch",
  lacks: {
    "a key that reads a body which was not sent": "its requests have no place for a parsed body",
    "a key that reads a body which lacks the field": "its requests have no place for a parsed body",
    "a key that reads a body": "its requests have no place for a parsed body",
    "a key of the connection's address, behind a proxy":
      "no address is in a Request, so that a key can't be read from it",
    "a handler that throws is settled by the status of its error":
      "what a thrown error is answered with is up to the server, which comes after the adapter",
    "a refusal is thrown to the framework": "the server behind it knows no errors with a status",
  },
  header: (request: Request, name) => request.headers.get(name) ?? undefined,
  start: ({ limiter, routes, handle }) => {
    const handler: Handle = async (request) =>
      responseOf(handle, (request as { spillway?: never }).spillway);
    const guarded = routes.reduceRight(
      (next: Handle, route) => limited(limiter, ofFetch(route), next) as Handle,
      handler,
    );
    return listening(
      createServer(getRequestListener((request, env) => guarded(request, env as Env))),
    );
  },
};

export async function responseOf(
  handle: Handler,
  decision: Parameters<Handler>[0],
): Promise<Response> {
  const reply = await handle(decision);
  const { status = 200, headers = {} } = reply;
  return new Response(bodyOf(reply), { status, headers });
}

function bodyOf({ status, body = "ok", until }: Reply): string | ReadableStream | null {
  if (until === undefined) return status === 204 ? null : body;
  const chunk = new TextEncoder().encode(body);
  return new ReadableStream({
    start: (controller) => controller.enqueue(chunk),
    async pull(controller) {
      await until;
      controller.enqueue(chunk);
      controller.close();
    },
  });
}

function ofFetch({ ownAnswer, ...route }: AnyRoute): FetchRoute<Request, [Env]> {
  const peer = (_: Request, { incoming }: Env) => incoming.socket.remoteAddress;
  const all = { peer, ...route } as FetchRoute<Request, [Env]>;
  if (ownAnswer === undefined) return all;
  return { ...all, onLimited: (_, { status }) => new Response(ownAnswer, { status }) };
}
