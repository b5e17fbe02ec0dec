/** A WebSocket, or another answer to the request for one, between a client and an upstream. */
import {
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as sendPlain,
} from "node:http";
import { request as sendEncrypted } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connectionOptions, isHopByHop, responseHeaders } from "./headers.ts";
import type { UpgradingClient } from "./upgrading-client.ts";
import type { Upstream, UpstreamTimes } from "./upstream.ts";

export type WebSocketParts = {
  readonly path: string;
  /** All headers for the upstream. */
  readonly headers: readonly string[];
  readonly client: Duplex;
  readonly upgrading: UpgradingClient;
  /** Answers if there is no WebSocket. */
  readonly response: ServerResponse;
  readonly added: readonly string[];
  readonly upstream: Upstream;
  readonly times: UpstreamTimes;
  /** Called once the client has its WebSocket. */
  readonly onOpen: () => void;
  /** Called if there is no response from upstream. */
  readonly onFailed: (error: Error) => void;
};

/** Passes the request for a WebSocket on, and then all bytes, until either side closes. */
export function openWebSocket(parts: WebSocketParts): void {
  const { client, upstream, onFailed, times } = parts;
  const asked = send(parts);
  upstream.inFlight++;
  const cancel = () => asked.destroy();
  client.once("close", cancel);
  asked.setTimeout(times.headers, () => asked.destroy(new UpstreamLateError()));
  asked.on("upgrade", (answer, socket, first) => {
    upstream.succeeded();
    join(parts, { answer, socket: socket as Socket, first });
  });
  asked.on("response", (answer) => {
    upstream.succeeded();
    passOn(parts, answer);
  });
  asked.on("error", (error) => {
    // A client that leaves ends the request too, which is no failure of the upstream.
    if (!client.destroyed) upstream.failed();
    onFailed(error);
  });
  asked.once("close", () => {
    upstream.inFlight--;
    client.off("close", cancel);
  });
  asked.end();
}

/** An upstream that did not answer in time. */
export class UpstreamLateError extends Error {
  override readonly name = "UpstreamLateError";
}

function send({ path, headers, upstream }: WebSocketParts): ClientRequest {
  const { protocol, hostname, port } = new URL(upstream.origin);
  const all = [...headers, "Connection", "Upgrade", "Upgrade", "websocket"];
  const options = {
    hostname,
    port,
    path,
    method: "GET",
    headers: all,
    setHost: false,
    agent: false,
  } as const;
  return protocol === "https:" ? sendEncrypted(options) : sendPlain(options);
}

type Opened = {
  readonly answer: IncomingMessage;
  readonly socket: Socket;
  readonly first: Buffer;
};

function join(parts: WebSocketParts, { answer, socket, first }: Opened): void {
  const { client, upgrading, onOpen, upstream } = parts;
  const sent = upgrading.open();
  onOpen();
  upstream.inFlight++;
  socket.once("close", () => upstream.inFlight--);
  client.write(headOf(answer, parts.added), "latin1");
  if (first.length > 0) client.write(first);
  if (sent.length > 0) socket.write(sent);
  for (const side of [client as Socket, socket]) {
    side.setTimeout(0);
    side.setKeepAlive(true, KEEP_ALIVE);
    side.setNoDelay(true);
  }
  couple(client, socket);
  couple(socket, client);
}

/** After how long without bytes a peer is asked whether it is still there, in milliseconds. */
const KEEP_ALIVE = 60_000;

/** Passes bytes on at the pace of the other side, which closes when this one does. */
function couple(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on("error", () => to.destroy());
  from.once("close", () => to.destroy());
}

function headOf({ rawHeaders, statusMessage }: IncomingMessage, added: readonly string[]): string {
  const options = connectionOptions(rawHeaders);
  let text = `HTTP/1.1 101 ${statusMessage}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const lower = (rawHeaders[index] as string).toLowerCase();
    if (isHopByHop(lower) || options.has(lower)) continue;
    text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
  }
  for (let index = 0; index < added.length; index += 2) {
    text += `${added[index]}: ${added[index + 1]}\r\n`;
  }
  return `${text}\r\n`;
}

/** The upstream has answered without a WebSocket, for example by 401. */
function passOn({ client, response, added }: WebSocketParts, answer: IncomingMessage): void {
  const { statusCode = 502, rawHeaders } = answer;
  // Node no longer does, as it has given the connection up.
  client.on("drain", () => response.emit("drain"));
  response.writeHead(statusCode, responseHeaders(rawHeaders, added));
  answer.pipe(response);
  answer.once("close", () => {
    if (!answer.complete) response.destroy();
  });
}
