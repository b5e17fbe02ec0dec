/** What adapters over `Request` and `Response` do while a handler answers: the passage ends with the answer. */
import type { StopSignal } from "../../internal/index.ts";
import { timersEndWithRequests } from "../../limits/core/index.ts";
import { type FetchResponse, watched } from "./fetch-response.ts";
import type { AnyPassage } from "./passage.ts";
import { openedSocket, type SocketOpener, SWITCHING_PROTOCOLS } from "./web-socket.ts";

/** A request that is answered. */
export type Answering = {
  readonly passage: AnyPassage;
  readonly method: string;
  /** Aborts when the client goes away. */
  readonly signal: StopSignal | undefined;
  /** Whether it asks for a WebSocket. */
  readonly asksForSocket: boolean;
  /** Where the runtime opens WebSockets itself. */
  readonly opener: SocketOpener | undefined;
};

type Answer = FetchResponse | undefined;

/**
 * Has a handler answer, and the passage end with what it answers: when the body has been read, when the client goes
 * away, or when the handler throws. A WebSocket ends it at once, but for a lease that is held.
 *
 * @throws SpillwayError `socket-not-held`
 */
export async function answered(
  answering: Answering,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> {
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
    // The body of an answer to HEAD is read by nobody.
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
 * Whether the client of a request without an answer has gone once its signal is aborted. Deno aborts it as soon as a
 * WebSocket is prepared. On Workers nothing of the request runs any more once its client has gone.
 */
function abortMeansGone({ asksForSocket, opener }: Answering): boolean {
  return !asksForSocket || opener !== undefined || timersEndWithRequests;
}
