/** Writes an HTTP/1.1 response as text, for connections that no server handles any more. */
import type { Header, ProblemBody } from "../../http/headers/index.ts";

/** The content of a response. */
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

/** The valid characters in a header's value (RFC 9110, 5.5), without obsolete ones. */
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Returns the whole response, which closes the connection. Headers with an invalid value are left
 * out. Pure.
 */
export function httpText({
  status,
  headers,
  body: { contentType, text },
}: RawHttpResponse): string {
  const all: readonly Header[] = [
    ...headers,
    ["Connection", "close"],
    ["Content-Type", contentType],
    // The body is ASCII, so its length is its number of bytes.
    ["Content-Length", String(text.length)],
  ];
  const lines = all
    .filter(([, value]) => VALUE.test(value))
    .map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${status} ${REASONS.get(status) ?? ""}`;
  return `${[first, ...lines].join("\r\n")}\r\n\r\n${text}`;
}
