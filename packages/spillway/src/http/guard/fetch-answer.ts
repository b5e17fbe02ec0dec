/** Runs a handler of `(Request) => Response`, and ends the passage with its response. */
import type { StopSignal } from "../../internal/index.ts";
import { timersEndWithRequests } from "../../limits/core/index.ts";
import { type FetchResponse, watched } from "./fetch-response.ts";
import type { AnyPassage } from "./passage.ts";
import { openedSocket, type SocketOpener, SWITCHING_PROTOCOLS } from "./web-socket.ts";

/** A request that a handler answers. */
export type FetchExchange = {
  readonly passage: AnyPassage;
  readonly method: string;
  /** Aborts when the client disconnects. */
  readonly signal: StopSignal | undefined;
  /** Whether the request asks for a WebSocket. */
  readonly asksForSocket: boolean;
  /** Set if the runtime opens WebSockets itself. */
  readonly opener: SocketOpener | undefined;
};

type HandlerResponse = FetchResponse | undefined;

/**
 * Calls a handler, and ends the passage with its response.
 *
 * The passage ends when the body has been read, when the client disconnects, or when the handler
 * throws. A WebSocket ends the passage at once, except a lease that is held.
 *
 * @throws SpillwayError `socket-not-held`
 */
export async function answered(
  answering: FetchExchange,
  handle: () => HandlerResponse | Promise<HandlerResponse>,
): Promise<HandlerResponse> {
  const { passage, method, signal, opener } = answering;
  let status: number | undefined;
  const over = (finished: boolean) =>
    passage.over(status === undefined ? undefined : { status, finished });
  signal?.addEventListener("abort", () => {
    if (status !== undefined || abortMeansGone(answering)) over(false);
  });
  try {
    const answer = await handle();
    const socket = openedSocket(opener, answer);
    status = socket === undefined ? answer?.status : SWITCHING_PROTOCOLS;
    if (socket !== undefined) passage.opened(socket);
    else if (answer === undefined || signal?.aborted) over(false);
    // The body of a response to HEAD is never read.
    else if (method === "HEAD") over(true);
    else return watched(answer, over);
    return answer;
  } catch (error) {
    status = undefined;
    over(false);
    throw error;
  }
}

/**
 * Whether an aborted signal means that the client of an unanswered request has disconnected.
 *
 * Deno aborts the signal as soon as a WebSocket is prepared. On Workers, no code of a request runs
 * after its client has disconnected.
 */
function abortMeansGone({ asksForSocket, opener }: FetchExchange): boolean {
  return !asksForSocket || opener !== undefined || timersEndWithRequests;
}
