/** A proxy that speaks HTTP/2, and clients of it. */
import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { atEnd } from "../../../support/at-end.ts";
import { type Certificates, certificates } from "../../envoy/certificates.ts";
import { proxyTo, type TestProxy } from "../scene.ts";

let made: Certificates | undefined;

/** Certificates for all tests of a file, as openssl takes its time. */
function pair(): Certificates {
  made ??= certificates();
  return made;
}

/** How to connect to a proxy by TLS. */
export function tlsTo(url: string) {
  const port = Number(new URL(url).port);
  return { port, host: "127.0.0.1", servername: "localhost", ca: pair().authority };
}

export type Http2Scene = TestProxy & { readonly session: ClientHttp2Session };

/** Serves a proxy over TLS until the test ends, and connects a client of HTTP/2. */
export async function http2To(
  to: string | readonly string[],
  options: Parameters<typeof proxyTo>[1] = {},
): Promise<Http2Scene> {
  const scene = await proxyTo(to, { tls: pair().server, ...options });
  const url = scene.url.replace("http:", "https:");
  return { ...scene, url, session: connectTo(url) };
}

/** Connects another client. */
export function connectTo(url: string): ClientHttp2Session {
  const session = connect(url, { ca: pair().authority, servername: "localhost" });
  session.on("error", () => {});
  atEnd(() => session.destroy());
  return session;
}

export type Answer = {
  readonly status: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly trailers: IncomingHttpHeaders | undefined;
};

/** Sends a request, with a body or none, and reads the answer. */
export async function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<Answer> {
  const stream = session.request({ ":authority": "a.example", ...headers });
  stream.on("error", () => {});
  if (body !== undefined) stream.end(body);
  return answerOf(stream);
}

export async function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  let trailers: IncomingHttpHeaders | undefined;
  stream.on("trailers", (received) => {
    trailers = received;
  });
  const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
  const body = await text(stream);
  return { status: headers[":status"], headers, body, trailers };
}

const REPORTS = {
  domain: "shop",
  descriptors: [{ entries: [{ key: "generic_key", value: "reports" }] }],
};

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}

/** Returns how many reports may begin now. */
export async function unitsLeft({ service }: TestProxy): Promise<number | undefined> {
  return (await service.value(REPORTS)).values[0]?.remaining;
}
