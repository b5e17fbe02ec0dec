/** As much of HTTP/1.1 as the load generator needs: it shares the machine with what it measures. */
import type { Arrival } from "./arrivals.ts";

/** What guarded work is asked for at. */
export const PATH = "/work";

/** A request as it is sent: no body, and the connection stays open. Pure. */
export function requestText({ priority, user }: Omit<Arrival, "due">): string {
  return `GET ${PATH} HTTP/1.1\r\nhost: bench\r\nx-priority: ${priority}\r\nx-user: ${user}\r\n\r\n`;
}

const HEAD_END = "\r\n\r\n";
const STATUS = /^HTTP\/1\.1 (\d{3}) /;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * The status of an answer, or `undefined` while some of it is still to come. Pure.
 *
 * @param text What has come so far, a character for each byte.
 * @throws Error where it is no answer, or one that doesn't say how long it is
 */
export function statusOf(text: string): number | undefined {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const status = STATUS.exec(head)?.[1];
  const length = LENGTH.exec(head)?.[1];
  if (status === undefined || length === undefined) throw new Error(`not understood: ${head}`);
  const isWhole = text.length >= headEnd + HEAD_END.length + Number(length);
  return isWhole ? Number(status) : undefined;
}
