/** Finds the responses on a connection of HTTP/2 that its client does not read. */
import type { Socket } from "node:net";
import { afterDelay, elapsed } from "spillway/support";
import type { StreamResponse } from "./stream-response.ts";

export type UnreadOptions = {
  readonly socket: Pick<Socket, "bytesWritten">;
  /** How long a client may read nothing of a response, in milliseconds. */
  readonly writeTimeout: number;
  /** Called for each response of which nothing was read for that long. It is to end the stream. */
  readonly onUnread: (response: StreamResponse) => void;
  /** Called when the client has not even read how a stream ended. */
  readonly onStuck: () => void;
};

/** The state of a response at the last look, and since when it is the same. */
type Progress = { isClosed: boolean; sent: number; since: number };

/**
 * The bytes for which a connection counts as read. Resets of other streams, and answers to some
 * pings, are fewer: to Node's own timers they are progress.
 */
const LEAST_READ = 1024;

/**
 * How many times as long a response may stay while its connection is read. A part of a response is
 * seen to be read when all of it was, which takes a slow client long, also beside other responses.
 */
const BESIDE_OTHERS = 10;

export class UnreadResponses {
  readonly #options: UnreadOptions;
  readonly #watched = new Map<StreamResponse, Progress>();
  /** The bytes of the connection at its last progress, and when that was. */
  #written = 0;
  #readSince = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(options: UnreadOptions) {
    this.#options = options;
  }

  /** The number of responses that have not left. */
  get size(): number {
    return this.#watched.size;
  }

  [Symbol.iterator](): IterableIterator<StreamResponse> {
    return this.#watched.keys();
  }

  add(response: StreamResponse): void {
    this.#watched.set(response, { isClosed: false, sent: 0, since: elapsed() });
    if (this.#cancel === undefined) this.#lookLater();
  }

  /** Forgets a response that has left. */
  delete(response: StreamResponse): void {
    this.#watched.delete(response);
    if (this.#watched.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #lookLater(): void {
    this.#cancel = afterDelay(this.#options.writeTimeout / 2, () => {
      this.#cancel = undefined;
      this.#look();
      if (this.#watched.size > 0) this.#lookLater();
    });
  }

  #look(): void {
    const now = elapsed();
    this.#lookAtConnection(now);
    for (const [response, progress] of this.#watched) {
      if (!this.#isUnread(response, progress, now)) continue;
      if (!response.closed) this.#options.onUnread(response);
      else {
        this.#options.onStuck();
        return;
      }
    }
  }

  #lookAtConnection(now: number): void {
    const { bytesWritten } = this.#options.socket;
    if (bytesWritten - this.#written < LEAST_READ) return;
    this.#written = bytesWritten;
    this.#readSince = now;
  }

  #isUnread(response: StreamResponse, progress: Progress, now: number): boolean {
    const { closed: isClosed, sent } = response;
    const isSame = isClosed === progress.isClosed && (isClosed || sent === progress.sent);
    if (!isSame || !(isClosed || response.isWaitingForClient)) {
      Object.assign(progress, { isClosed, sent, since: now });
      return false;
    }
    const { writeTimeout } = this.#options;
    const since = Math.max(progress.since, this.#readSince);
    return now - since >= writeTimeout || now - progress.since >= BESIDE_OTHERS * writeTimeout;
  }
}
