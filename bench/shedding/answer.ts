/** As much of HTTP/1.1 as the load generator needs: it shares the machine with what it measures. */
import type { Arrival } from "./arrivals.ts";

/** A request as it is sent: without a body, and after it the connection stays open. Pure. */
export function requestText({ path, priority }: Omit<Arrival, "due">): string {
  return `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-priority: ${priority}\r\n\r\n`;
}

const HEAD_END = "\r\n\r\n";
const STATUS = /^HTTP\/1\.1 (\d{3}) /;
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/** An answer that its client has. */
export type Answer = {
  readonly status: number;
  /** Whether more of it comes for an unknown time, so that nothing can follow it. */
  readonly isStream: boolean;
};

/**
 * An answer: complete, or the head of a stream; `undefined` while there is neither. Pure.
 *
 * @param text What has been received so far, one character a byte.
 * @throws Error where it is not an answer, or where its length can't be known
 */
export function answerOf(text: string): Answer | undefined {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const status = Number(STATUS.exec(head)?.[1]);
  if (CHUNKED.test(head)) return { status, isStream: true };
  const length = Number(LENGTH.exec(head)?.[1]);
  if (Number.isNaN(status + length)) throw new Error(`not understood: ${head}`);
  const isWhole = text.length >= headEnd + HEAD_END.length + length;
  return isWhole ? { status, isStream: false } : undefined;
}
