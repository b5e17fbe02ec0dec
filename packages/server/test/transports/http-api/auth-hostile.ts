/** Requests to `/auth/nginx` that servers could read in two ways, and what becomes of each. */

export type HostileCase = {
  readonly name: string;
  readonly bytes: string;
  /** The statuses of all answers, in order. */
  readonly statuses: readonly number[];
};

const HOST = "Host: localhost\r\n";
const original = (target: string) =>
  `X-Original-Method: GET\r\nX-Original-URI: ${target}\r\n` +
  "X-Original-Host: shop.example\r\nX-Forwarded-For: 192.0.2.1\r\n";
const NAMED = original("/a");
const SECOND = `GET /auth/nginx HTTP/1.1\r\n${HOST}${original("/smuggled")}\r\n`;

const get = (more = "", target = "/auth/nginx") =>
  `GET ${target} HTTP/1.1\r\n${HOST}${NAMED}${more}\r\n`;
const asks = (target: string, more = "") =>
  `GET /auth/nginx HTTP/1.1\r\n${HOST}${original(target)}${more}\r\n`;
const post = (more: string, body: string) =>
  `POST /auth/nginx HTTP/1.1\r\n${HOST}${NAMED}${more}\r\n${body}`;

const row = (name: string, bytes: string, ...statuses: readonly number[]): HostileCase => ({
  name,
  bytes,
  statuses,
});

const CHUNKED = "Transfer-Encoding: chunked\r\n";
const LENGTH = "Content-Length: 5\r\n";
const CHUNKS = "5\r\nhello\r\n0\r\n\r\n";

const FRAMING: readonly HostileCase[] = [
  row("CL.TE", post(LENGTH + CHUNKED, `0\r\n\r\n${SECOND}`), 400),
  row("TE.CL", post(CHUNKED + LENGTH, CHUNKS), 400),
  row("CL.CL, different", post(`${LENGTH}Content-Length: 6\r\n`, `hello!${SECOND}`), 400),
  row("CL.CL, alike", post(LENGTH + LENGTH, "hello"), 400),
  row("a list of lengths", post("Content-Length: 5, 5\r\n", "hello"), 400),
  row("a length with a sign", post("Content-Length: +5\r\n", "hello"), 400),
  row("a negative length", post("Content-Length: -5\r\n", "hello"), 400),
  row("a length in hexadecimal", post("Content-Length: 0x5\r\n", "hello"), 400),
  row("a length that overflows", post("Content-Length: 18446744073709551621\r\n", "hello"), 400),
  row("a coding twice", post(CHUNKED + CHUNKED, CHUNKS), 400),
  row("chunked, identity", post("Transfer-Encoding: chunked, identity\r\n", CHUNKS), 400),
  row("identity", post("Transfer-Encoding: identity\r\n", "hello"), 400),
  row("an unknown coding", post("Transfer-Encoding: xchunked\r\n", CHUNKS), 400),
  row("a coding with a vertical tab", post("Transfer-Encoding:\x0bchunked\r\n", CHUNKS), 400),
  row("a space before the colon", post("Transfer-Encoding : chunked\r\n", CHUNKS), 400),
  row("a coding on a folded line", post("Transfer-Encoding:\r\n chunked\r\n", CHUNKS), 400),
  row("a chunk size with a sign", post(CHUNKED, "+5\r\nhello\r\n0\r\n\r\n"), 400),
  row("a chunk size of 0x5", post(CHUNKED, "0x5\r\nhello\r\n0\r\n\r\n"), 400),
  row("a chunk with a bare LF", post(CHUNKED, "5\nhello\r\n0\r\n\r\n"), 400),
  row("a chunk without its end", post(CHUNKED, `5\r\nhello${SECOND}`), 400),
  row("chunk extensions", post(CHUNKED, '5;a="b"\r\nhello\r\n0\r\n\r\n'), 200),
  row("a trailer", post(CHUNKED, "5\r\nhello\r\n0\r\nX-Original-URI: /b\r\n\r\n"), 200),
  row("a second request in a body", post(`Content-Length: ${SECOND.length}\r\n`, SECOND), 200),
  row("a second request after a body", post(LENGTH, `hello${SECOND}`), 200, 200),
  row("a body of GET", get(LENGTH).concat(`hello${SECOND}`), 200, 200),
  row("a length with underscores", post("Content_Length: 5\r\n", SECOND), 200, 200),
];

const HEADS: readonly HostileCase[] = [
  row("Connection names a header", get("Connection: close, X-Original-URI\r\n"), 200),
  row("Connection names an address", get("Connection: X-Forwarded-For, Host\r\n"), 200),
  row("an absolute target", get("", "http://localhost/auth/nginx"), 200),
  row("an absolute target of another host", get("", "http://evil.example/auth/nginx"), 200),
  row("a target of *", `OPTIONS * HTTP/1.1\r\n${HOST}${NAMED}\r\n`, 404),
  row("CONNECT", `CONNECT /auth/nginx HTTP/1.1\r\n${HOST}${NAMED}\r\n`),
  row("another spelling of the path", get("", "/auth/./nginx"), 404),
  row("two slashes", get("", "//auth/nginx"), 404),
  row("no Host", `GET /auth/nginx HTTP/1.1\r\n${NAMED}\r\n`, 400),
  row("two hosts", get("Host: evil.example\r\n"), 400),
  row("another host", `GET /auth/nginx HTTP/1.1\r\nHost: evil.example\r\n${NAMED}\r\n`, 403),
  row(
    "a host with a user",
    `GET /auth/nginx HTTP/1.1\r\nHost: localhost@evil\r\n${NAMED}\r\n`,
    403,
  ),
  row("a bare CR in a value", get("X-A: 1\rX-Original-URI: /b\r\n"), 400),
  row("a bare LF between headers", get("X-A: 1\nX-B: 2\r\n"), 400),
  row("a NUL in a value", get("X-A: a\0b\r\n"), 400),
  row("a space in a name", get("X A: 1\r\n"), 400),
  row("a folded line", get("X-A: 1\r\n 2\r\n"), 400),
  row("a header without a colon", get("X-A\r\n"), 400),
  row("HTTP/0.9", "GET /auth/nginx\r\n\r\n", 400),
  row("HTTP/2.0 in text", `GET /auth/nginx HTTP/2.0\r\n${HOST}${NAMED}\r\n`, 200),
  row("HTTP/1.2", `GET /auth/nginx HTTP/1.2\r\n${HOST}${NAMED}\r\n`, 400),
  row("an upgrade", get("Connection: Upgrade\r\nUpgrade: websocket\r\n"), 200),
  row("headers over 16 KiB", get(`X-A: ${"a".repeat(17_000)}\r\n`), 431),
];

/** Headers by which the proxy describes its client's request. */
const NAMES: readonly HostileCase[] = [
  row("a repeated X-Original-URI", get("X-Original-URI: /b\r\n"), 400),
  row("a repeated X-Original-Method", get("X-Original-Method: POST\r\n"), 400),
  row("a repeated X-Original-Host", get("X-Original-Host: b\r\n"), 400),
  row("X_Original_URI", get("X_Original_URI: /b\r\nX-Original_URI: /c\r\n"), 200),
  row("an empty path", asks(""), 400),
  row("a path without a slash", asks("a"), 200),
  row("an absolute path", asks("http://evil.example/a"), 200),
  row("two slashes before a host", asks("//evil.example/a"), 400),
  row("a backslash before a host", asks("/\\evil.example/a"), 400),
  row("a NUL", asks("/a%00"), 400),
  row("CR LF in a path", asks("/a%0d%0aX-Original-URI:%20/b"), 400),
  row("a broken escape", asks("/a%2"), 400),
  row("an overlong escape", asks("/a%c0%af"), 400),
  row("dots after an escaped slash", asks("/a/..%2fb"), 400),
  row("dots after a backslash", asks("/a/..\\b"), 400),
  row("dots with a parameter", asks("/a/..;/b"), 400),
  row("bytes that are not UTF-8", asks("/a\xff"), 400),
  row("257 segments", asks("/a".repeat(257)), 400),
  row("dots above the root", asks("/../../../a"), 200),
  row("an address that is none", get().replace("192.0.2.1", "evil"), 400),
  row("an address with a port", get().replace("192.0.2.1", "192.0.2.1:80"), 200),
  row("no address", get().replace("X-Forwarded-For: 192.0.2.1\r\n", ""), 400),
  row("a header __proto__", get("__proto__: a\r\nconstructor: b\r\n"), 200),
];

export const HOSTILE: readonly HostileCase[] = [...FRAMING, ...HEADS, ...NAMES];
