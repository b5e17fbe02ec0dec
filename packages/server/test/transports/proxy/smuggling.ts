/** Requests that two servers could read in two ways, and what becomes of each. */

export type SmugglingCase = {
  readonly name: string;
  readonly request: string;
  /** The status of the refusal; or the bytes of the one request that the upstream sees. */
  readonly outcome: number | RegExp;
};

const HOST = "Host: a.example\r\n";
const SECOND = "GET /admin HTTP/1.1\r\nHost: a.example\r\n\r\n";

function get(target: string, fields = ""): string {
  return `GET ${target} HTTP/1.1\r\n${HOST}${fields}\r\n`;
}

function post(fields: string, body: string): string {
  return `POST /a HTTP/1.1\r\n${HOST}${fields}\r\n${body}`;
}

function refused(name: string, request: string, outcome = 400): SmugglingCase {
  return { name, request, outcome };
}

function one(name: string, request: string, outcome: RegExp): SmugglingCase {
  return { name, request, outcome };
}

const CHUNKED = "Transfer-Encoding: chunked\r\n";
const LENGTH = "Content-Length: 5\r\n";
const CHUNKS = "5\r\nhello\r\n0\r\n\r\n";

/** Mixtures of lengths and codings. */
const FRAMING: readonly SmugglingCase[] = [
  refused("CL.TE", post(LENGTH + CHUNKED, `0\r\n\r\n${SECOND}`)),
  refused("TE.CL", post(CHUNKED + LENGTH, CHUNKS)),
  refused("CL.CL, different", post(`${LENGTH}Content-Length: 6\r\n`, `hello!${SECOND}`)),
  refused("CL.CL, alike", post(LENGTH + LENGTH, "hello")),
  refused("a list of lengths", post("Content-Length: 5, 5\r\n", "hello")),
  refused("a length with a sign", post("Content-Length: +5\r\n", "hello")),
  refused("a negative length", post("Content-Length: -5\r\n", "hello")),
  refused("a length in hexadecimal", post("Content-Length: 0x5\r\n", "hello")),
  refused("a length that overflows", post("Content-Length: 18446744073709551621\r\n", "hello")),
  refused("an empty length", post("Content-Length: \r\n", "hello")),
  refused("a coding twice", post(CHUNKED + CHUNKED, CHUNKS)),
  refused("chunked, identity", post("Transfer-Encoding: chunked, identity\r\n", CHUNKS)),
  refused("identity", post("Transfer-Encoding: identity\r\n", "hello")),
  refused("gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", CHUNKS)),
  refused("a coding with a tab", post("Transfer-Encoding:\x0bchunked\r\n", CHUNKS)),
  refused("an unknown coding", post("Transfer-Encoding: xchunked\r\n", CHUNKS)),
  refused("a space before the colon", post("Transfer-Encoding : chunked\r\n", CHUNKS)),
  refused("a coding on a folded line", post("Transfer-Encoding:\r\n chunked\r\n", CHUNKS)),
  refused("chunked in HTTP/1.0", `POST /a HTTP/1.0\r\n${HOST}${CHUNKED}\r\n${CHUNKS}`),
  refused("a chunk size with a sign", post(CHUNKED, "+5\r\nhello\r\n0\r\n\r\n")),
  refused("a chunk size of 0x5", post(CHUNKED, "0x5\r\nhello\r\n0\r\n\r\n")),
  refused("a chunk with a bare LF", post(CHUNKED, "5\nhello\r\n0\r\n\r\n")),
  refused("a chunk without its end", post(CHUNKED, "5\r\nhelloGET /admin HTTP/1.1\r\n\r\n")),
  refused("chunked after a tab", post("Transfer-Encoding: \tchunked, chunked\r\n", CHUNKS)),
  refused("chunked in quotes", post('Transfer-Encoding: "chunked"\r\n', CHUNKS)),
  refused("chunked with a parameter", post("Transfer-Encoding: chunked;q=1\r\n", CHUNKS)),
  refused("a length of 1e1", post("Content-Length: 1e1\r\n", "helloworld")),
  refused("a length with a space", post("Content-Length: 5 5\r\n", "hello")),
  refused("a length after the name and a space", post("Content-Length : 5\r\n", "hello")),
  refused("a chunk size that overflows", post(CHUNKED, "10000000000000005\r\nhello\r\n0\r\n\r\n")),
  refused("a chunk extension with a bare LF", post(CHUNKED, "5;a\nhello\r\n0\r\n\r\n")),
  refused("a chunk extension with a bare CR", post(CHUNKED, "5;a\rb\r\nhello\r\n0\r\n\r\n")),
  refused("a length in trailers", post(CHUNKED, "5\r\nhello\r\n0\r\nContent-Length: 50\r\n\r\n")),
  one(
    "a body of GET",
    `GET /a HTTP/1.1\r\n${HOST}${LENGTH}\r\nhello`,
    /^GET \/a HTTP\/1\.1\r\n[\s\S]*content-length: 5\r\n\r\nhello$/i,
  ),
  one(
    "chunked in capitals",
    post("TRANSFER-ENCODING: CHUNKED\r\n", CHUNKS),
    /^POST \/a HTTP\/1\.1\r\n(?:.+\r\n)+\r\n5\r\nhello\r\n0\r\n\r\n$/,
  ),
  one(
    "chunk extensions are dropped",
    post(CHUNKED, '5;a="b"\r\nhello\r\n0\r\n\r\n'),
    /^POST \/a HTTP\/1\.1\r\n(?:.+\r\n)+\r\n5\r\nhello\r\n0\r\n\r\n$/,
  ),
  one(
    "trailers are dropped",
    post(CHUNKED, "5\r\nhello\r\n0\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n"),
    /^POST \/a HTTP\/1\.1\r\n(?:.+\r\n)+\r\n5\r\nhello\r\n0\r\n\r\n$/,
  ),
  one(
    "a length of 05",
    post("Content-Length: 05\r\n", "hello"),
    /content-length: 5\r\n\r\nhello$/i,
  ),
  one(
    "another spelling of a length",
    post(`${LENGTH}Content_Length: 0\r\nTransfer_Encoding: chunked\r\n`, "hello"),
    /^(?!.*_)POST[\s\S]*content-length: 5\r\n\r\nhello$/i,
  ),
];

/** Headers that are to hide others, or to be removed. */
const CONNECTION: readonly SmugglingCase[] = [
  refused("Connection: host", get("/a", "Connection: host\r\n")),
  refused("Connection: content-length", post(`${LENGTH}Connection: content-length\r\n`, "hello")),
  refused(
    "Connection: transfer-encoding",
    post(`${CHUNKED}Connection: close, Transfer-Encoding\r\n`, CHUNKS),
  ),
  one(
    "Connection: x-forwarded-for",
    get("/a", "Connection: x-forwarded-for, via\r\nX-Forwarded-For: 1.2.3.4\r\n"),
    /^(?![\s\S]*1\.2\.3\.4)GET \/a HTTP\/1\.1\r\n[\s\S]*X-Forwarded-For: 127\.0\.0\.1\r\n[\s\S]*Via: 1\.1 spillway-/,
  ),
  one(
    "named headers",
    get("/a", "Connection: x-secret\r\nX-Secret: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\n"),
    /^(?![\s\S]*(?:secret|\r\nkeep-alive:|\r\nte:))GET \/a HTTP\/1\.1\r\n/i,
  ),
  one(
    "a client's X-Original-URL",
    get("/a", "X-Original-URL: /admin\r\nX-Rewrite-URL: /admin\r\nX_Original_URL: /admin\r\n"),
    /^(?![\s\S]*admin)GET \/a HTTP\/1\.1\r\n/,
  ),
  refused(
    "a WebSocket with a length",
    get("/a", `${LENGTH}Connection: Upgrade\r\nUpgrade: websocket\r\n`),
  ),
  refused(
    "a WebSocket with chunks",
    get("/a", `${CHUNKED}Connection: Upgrade\r\nUpgrade: websocket\r\n`),
  ),
  one(
    "an upgrade to HTTP/2",
    get("/a", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"),
    /^(?![\s\S]*(?:upgrade|settings))GET \/a HTTP\/1\.1\r\n/i,
  ),
];

/** Targets, hosts and versions. */
const TARGETS: readonly SmugglingCase[] = [
  refused("no Host", "GET /a HTTP/1.1\r\n\r\n"),
  refused("two hosts", get("/a", "Host: b.example\r\n")),
  refused("an empty Host", "GET /a HTTP/1.1\r\nHost: \r\n\r\n"),
  refused("a host with a user", "GET /a HTTP/1.1\r\nHost: a@b.example\r\n\r\n"),
  refused("a host with a path", "GET /a HTTP/1.1\r\nHost: a.example/admin\r\n\r\n"),
  refused("a list of hosts", "GET /a HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n"),
  refused("another host in the target", get("http://b.example/a")),
  refused("a target of another scheme", get("ftp://a.example/a")),
  refused("a target of *", `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`),
  refused("a target of two slashes", get("//b.example/a")),
  refused("a fragment", get("/a#b")),
  refused("a NUL", get("/a%00b")),
  refused("a broken escape", get("/a%2")),
  refused("dots after an escaped slash", get("/x%2f../a")),
  refused("a bare CR in a value", get("/a", "X-A: 1\rX-B: 2\r\n")),
  refused("a bare LF after a header", `GET /a HTTP/1.1\r\n${HOST}X-A: 1\nX-B: 2\r\n\r\n`),
  refused("a NUL in a value", get("/a", "X-A: a\0b\r\n")),
  refused("a space in a name", get("/a", "X A: 1\r\n")),
  refused("a folded line", get("/a", "X-A: 1\r\n 2\r\n")),
  refused("a header without a colon", get("/a", "X-A\r\n")),
  refused("a space in the target", get("/a b")),
  refused("HTTP/0.9", "GET /a\r\n\r\n"),
  refused("HTTP/2.0 in text", `GET /a HTTP/2.0\r\n${HOST}\r\n`),
  refused("HTTP/1.2", `GET /a HTTP/1.2\r\n${HOST}\r\n`),
  one(
    "an absolute target",
    get("http://a.example/a?b"),
    /^GET \/a\?b HTTP\/1\.1\r\n[\s\S]*host: a\.example/i,
  ),
  one("needless escapes and dots", get("/%61/%2e%2E/%7Eb/./c?x=%61"), /^GET \/~b\/c\?x=%61 HTTP/),
  one("repeated slashes", get("/a//b/%2fe/"), /^GET \/a\/b\/%2Fe\/ HTTP/),
  refused("dots beside repeated slashes", get("/a//../b")),
  one("a backslash", get("/a\\b"), /^GET \/a%5Cb HTTP/),
];

export const SMUGGLING: readonly SmugglingCase[] = [...FRAMING, ...CONNECTION, ...TARGETS];
