import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import {
  createServer,
  createService,
  type HttpServerOptions,
  parseRules,
  type Service,
} from "../../src/index.ts";
import { atEnd } from "./at-end.ts";

/** An instant 12.5 seconds into a minute, an hour and a day UTC. */
export const START = Date.UTC(2026, 0, 5, 0, 0, 12, 500);

/** A service on a real port, under a clock that the test moves. */
export type TestServer = {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly service: Service;
  now: number;
};

/** Serves rules until the test ends. */
export async function serve(
  text: string,
  options: Partial<HttpServerOptions> = {},
  host = "127.0.0.1",
): Promise<TestServer> {
  const rules = parseRules([{ name: "rules.yaml", text }]);
  const clock = () => server.now;
  const server = { url: "", now: START } as { -readonly [K in keyof TestServer]: TestServer[K] };
  server.service = options.service ?? createService({ rules, clock });
  server.app = await createServer({
    service: server.service,
    // What the tests' clients keep open is idle.
    quiet: 0,
    ...options,
  });
  atEnd(() => server.app.close());
  await server.app.listen({ host, port: 0 });
  server.url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
  return server;
}

/** What came back. */
export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

/** Sends a body as JSON, or a text as it is. */
export async function send(
  { url }: Pick<TestServer, "url">,
  path: string,
  body: unknown,
  init: RequestInit = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** A descriptor: `descriptor("auth_type=login", "user=ann")`. */
export function descriptor(...entries: readonly string[]) {
  return {
    entries: entries.map((entry) => {
      const [key = "", value = ""] = entry.split("=");
      return { key, value };
    }),
  };
}
