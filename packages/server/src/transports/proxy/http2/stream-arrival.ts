/** A request of HTTP/2 that has arrived. */
import { constants, type ServerHttp2Stream } from "node:http2";
import type { ArrivedRequest } from "../arrival.ts";
import { checkStreamHead } from "./stream-head.ts";
import { StreamResponse } from "./stream-response.ts";

type StreamStart = {
  readonly peer: string;
  /** Names and values in turn, those of HTTP/2 itself included. */
  readonly rawHeaders: readonly string[];
  /** Whether there is no body. */
  readonly hasEnded: boolean;
};

/** The request of a stream, with its target for reports. */
export type ArrivedStream = ArrivedRequest & {
  readonly response: StreamResponse;
  readonly path: string;
};

/** Reads the request of a stream. */
export function streamArrival(
  stream: ServerHttp2Stream,
  { peer, rawHeaders, hasEnded }: StreamStart,
): ArrivedStream {
  const header = (name: string) => {
    const index = rawHeaders.findIndex((text, place) => place % 2 === 0 && text === name);
    return index < 0 ? undefined : rawHeaders[index + 1];
  };
  const response = new StreamResponse(stream, { isHead: header(":method") === "HEAD" });
  const read = () => {
    const head = checkStreamHead(rawHeaders, { hasEnded });
    // The end of a body without bytes is read too, because the stream closes after it.
    if (!head.hasBody) stream.resume();
    return head;
  };
  return {
    peer,
    path: header(":path") ?? "",
    wishes: { accept: header("accept"), origin: header("origin") },
    // A reset ends the stream too, in the middle of the body.
    body: {
      stream,
      isWhole: () => !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR,
    },
    response,
    tunnel: undefined,
    read,
    isGone: () => response.closed,
  };
}
