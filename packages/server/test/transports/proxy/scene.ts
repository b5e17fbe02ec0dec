/** A proxy in front of servers of the test. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";
import { createService, type Service } from "../../../src/index.ts";
import { type ProxyOptions, ReverseProxy } from "../../../src/transports/proxy/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { rulesOf } from "../../support/rules.ts";

/** Every request has a limit of its own path, and there are three reports at once. */
export const RULES = `
domain: shop
http:
  - match: { path: /login }
    actions: [{ generic_key: { descriptor_value: login } }, { remote_address: {} }]
  - match: { prefix: /reports }
    actions: [{ generic_key: { descriptor_value: reports } }]
descriptors:
  - key: generic_key
    value: login
    descriptors: [{ key: remote_address, rate_limit: { unit: minute, requests_per_unit: 2 } }]
  - { key: generic_key, value: reports, rate_limit: { kind: concurrency, capacity: 3, ttl: 1h } }
`;

export type TestProxy = {
  readonly url: string;
  readonly proxy: ReverseProxy;
  readonly service: Service;
  readonly warnings: string[];
  readonly failures: string[];
};

type SceneOptions = Partial<ProxyOptions> & { readonly rules?: string };

/** Serves a proxy until the test ends. */
export async function proxyTo(
  to: string | readonly string[],
  { rules = RULES, ...options }: SceneOptions = {},
): Promise<TestProxy> {
  const service = options.service ?? createService({ rules: rulesOf(rules) });
  const warnings: string[] = [];
  const failures: string[] = [];
  const proxy = new ReverseProxy({
    service,
    to: [to].flat(),
    warn: (text) => warnings.push(text),
    onFailed: ({ message }) => failures.push(message),
    times: { connect: 60_000, headers: 60_000, idle: 60_000 },
    connections: 1000,
    stop: { quiet: 0 },
    ...options,
  });
  atEnd(() => proxy.close());
  const url = await listening(proxy.server);
  return { url, proxy, service, warnings, failures };
}

/** Serves an upstream until the test ends. */
export async function upstreamOf(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return listening(server);
}

/** Returns the connections to upstreams that are made until the test ends. */
export function upstreamSockets(): readonly Socket[] {
  const sockets: Socket[] = [];
  const add = (message: unknown) => sockets.push((message as { readonly socket: Socket }).socket);
  subscribe("undici:client:connected", add);
  atEnd(() => unsubscribe("undici:client:connected", add));
  return sockets;
}

/** Listens on a free port. Returns the URL. */
export async function listening(server: Server | import("node:net").Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An upstream that records bytes, and answers each connection by a function. */
export type RawUpstream = { readonly url: string; readonly received: string[] };

/**
 * Serves bytes until the test ends. `answer` is called with all that a connection has received,
 * each time more of it has come.
 */
export async function rawUpstream(
  answer: (received: string, socket: Socket) => void,
): Promise<RawUpstream> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    const index = received.push("") - 1;
    sockets.add(socket);
    socket.setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("data", (text: string) => {
      received[index] += text;
      answer(received[index] as string, socket);
    });
  });
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: await listening(server), received };
}
