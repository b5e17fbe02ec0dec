/** A response of HTTP/1.1 as text, for a connection that no server writes to any more. */
import type { Header, ProblemBody } from "../../http/headers/index.ts";

/** What is answered. */
export type RawHttpResponse = {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: ProblemBody;
};

const REASONS: ReadonlyMap<number, string> = new Map([
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [503, "Service Unavailable"],
]);

/** What may be in the value of a header (RFC 9110, 5.5), without what is obsolete. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** The whole response; the connection closes with it. Pure. */
export function httpText({
  status,
  headers,
  body: { contentType, text },
}: RawHttpResponse): string {
  const all: readonly Header[] = [
    ...headers,
    ["Connection", "close"],
    ["Content-Type", contentType],
    // It is ASCII.
    ["Content-Length", String(text.length)],
  ];
  const lines = all
    .filter(([, value]) => VALUE.test(value))
    .map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${status} ${REASONS.get(status) ?? ""}`;
  return `${[first, ...lines].join("\r\n")}\r\n\r\n${text}`;
}
