/** A request that has arrived, by either version of HTTP. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { type CheckedHead, checkHead } from "./head.ts";
import type { UpgradingClient } from "./upgrading-client.ts";

/** Wishes of a client about answers, from its headers. */
export type Wishes = {
  readonly accept: string | undefined;
  /** The origin of the web page that asks; undefined if there is none. */
  readonly origin: string | undefined;
};

/** The members used of a response to a client. One of `node:http` has them. */
export type FrontResponse = {
  readonly statusCode: number;
  readonly headersSent: boolean;
  /** Whether it has left, or can no longer be sent. */
  readonly closed: boolean;
  readonly destroyed: boolean;
  /** Whether nothing more is written. */
  readonly writableEnded: boolean;
  /** Whether trailers can be added. */
  readonly chunkedEncoding: boolean;
  setHeader(...header: [name: string, value: string]): unknown;
  /** `headers` are names and values in turn. */
  writeHead(status: number, message: string | undefined, headers: string[]): unknown;
  flushHeaders(): unknown;
  writeContinue(): unknown;
  /** Returns false if nothing more should be written before the next "drain". */
  write(chunk: Uint8Array): boolean;
  addTrailers(trailers: [string, string][]): unknown;
  end(text?: string): unknown;
  /** Breaks it off, so that no part passes for the whole. */
  destroy(): unknown;
  once(event: "close", call: () => void): unknown;
  on(event: "drain", call: () => void): unknown;
};

/** The body of a request. */
export type ClientBody = {
  readonly stream: Readable;
  /** Whether all of it has arrived, once the stream has ended. */
  readonly isWhole: () => boolean;
};

/** The connection of a request for a WebSocket. */
export type Tunnel = {
  readonly client: Socket;
  readonly upgrading: UpgradingClient;
  readonly response: ServerResponse;
  /** Whether a WebSocket is asked for, not something else. */
  readonly isWebSocket: boolean;
};

export type ArrivedRequest = {
  /** The address of the client's connection. */
  readonly peer: string;
  readonly wishes: Wishes;
  readonly body: ClientBody;
  readonly response: FrontResponse;
  /** Undefined unless the request asks to upgrade. */
  readonly tunnel: Tunnel | undefined;
  /** Reads the head. @throws RequestError `bad-request`, `headers-too-large` */
  readonly read: () => CheckedHead;
  /** Whether the client has gone. */
  readonly isGone: () => boolean;
};

/** A request of HTTP/1. */
export function http1Arrival(
  request: IncomingMessage,
  response: ServerResponse,
  upgrading?: UpgradingClient,
): ArrivedRequest {
  const { socket } = request;
  const { accept, origin } = request.headers;
  return {
    peer: socket.remoteAddress ?? "unknown",
    wishes: { accept, origin },
    body: { stream: request, isWhole: () => request.complete },
    response,
    tunnel: upgrading && tunnelOf(request, response, upgrading),
    read: () => checkHead(request),
    isGone: () => response.closed || socket.destroyed,
  };
}

function tunnelOf(
  request: IncomingMessage,
  response: ServerResponse,
  upgrading: UpgradingClient,
): Tunnel {
  return { client: request.socket, upgrading, response, isWebSocket: isWebSocket(request) };
}

/** Whether a request asks for a WebSocket. */
export function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && /^websocket$/i.test(headers.upgrade ?? "");
}
