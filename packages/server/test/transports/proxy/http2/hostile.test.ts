/** Requests over HTTP/2 that HTTP/1.1 can't carry as one, and clients that want to cost much. */
import { constants, type OutgoingHttpHeaders } from "node:http2";
import { describe, expect, it } from "vitest";
import { rawUpstream } from "../scene.ts";
import {
  type Field,
  FLAG,
  fieldBlock,
  frame,
  headers,
  openFrames,
  statusIn,
  TYPE,
} from "./frames.ts";
import { ask, http2To } from "./scene.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** An upstream that answers whatever has a head. */
function answering() {
  return rawUpstream((text, socket) => {
    if (/\r\n\r\n(?:hello)?$/.test(text)) socket.write(ANSWER);
  });
}

const METHOD: Field = [":method", "GET"];
const PLACE: readonly Field[] = [
  [":scheme", "https"],
  [":authority", "a.example"],
];
const PATH: Field = [":path", "/a"];
const GET: readonly Field[] = [METHOD, ...PLACE, PATH];

const to = (path: string): readonly Field[] => [METHOD, ...PLACE, [":path", path]];
const by = (method: string): readonly Field[] => [[":method", method], ...PLACE, PATH];
const at = (authority: string): readonly Field[] => {
  return [METHOD, [":scheme", "https"], [":authority", authority], PATH];
};
const more = (...fields: Field[]): readonly Field[] => [...GET, ...fields];

const LINES = "1\r\nhost: b.example\r\n\r\nGET /admin HTTP/1.1";

const REFUSED: readonly (readonly [string, readonly Field[]])[] = [
  ["another Host", more(["host", "b.example"])],
  ["another port in Host", more(["host", "a.example:8080"])],
  ["two hosts", more(["host", "a.example"], ["host", "a.example"])],
  ["no host", [METHOD, [":scheme", "https"], PATH]],
  ["an empty :authority", at("")],
  ["a user in :authority", at("admin@a.example")],
  ["a path in :authority", at("a.example/admin")],
  ["lines in :authority", at(LINES)],
  ["two of :path", more([":path", "/admin"])],
  ["two of :authority", more([":authority", "b.example"])],
  ["two of :method", more([":method", "POST"])],
  ["no :path", [METHOD, ...PLACE]],
  ["no :method", [...PLACE, PATH]],
  ["an unknown pseudo-header", more([":protocol", "websocket"])],
  ["a pseudo-header after others", [METHOD, ...PLACE, ["x-a", "1"], PATH]],
  ["an empty path", to("")],
  ["a path of *", [[":method", "OPTIONS"], ...PLACE, [":path", "*"]]],
  ["an absolute :path", to("https://b.example/admin")],
  ["a :path without a slash", to("admin")],
  ["a :path of two slashes", to("//b.example/admin")],
  ["a fragment", to("/a#admin")],
  ["a space in :path", to("/a HTTP/1.1")],
  ["lines in :path", to(`/a HTTP/1.1\r\nx: ${LINES}`)],
  ["a NUL in :path", to("/a\0b")],
  ["an escaped NUL", to("/a%00b")],
  ["a broken escape", to("/a%2")],
  ["dots after an escaped slash", to("/x%2f../admin")],
  ["dots beside repeated slashes", to("/a//../admin")],
  [
    "CONNECT",
    [
      [":method", "CONNECT"],
      [":authority", "a.example:443"],
    ],
  ],
  ["a WebSocket by CONNECT", [[":method", "CONNECT"], [":protocol", "websocket"], ...PLACE, PATH]],
  ["a method in small letters", by("get")],
  ["an unknown method", by("ADMIN")],
  ["a space in the method", by("GET /admin")],
  ["lines in the method", by(`GET /admin HTTP/1.1\r\nx: ${LINES}`)],
  ["a capital in a name", more(["X-A", "1"])],
  ["Connection", more(["connection", "x-forwarded-for"])],
  ["Connection: close", more(["connection", "close"])],
  ["Keep-Alive", more(["keep-alive", "5"])],
  ["Proxy-Connection", more(["proxy-connection", "close"])],
  ["Upgrade", more(["upgrade", "websocket"])],
  ["Transfer-Encoding", more(["transfer-encoding", "chunked"])],
  ["TE other than trailers", more(["te", "gzip"])],
  ["a length without a body", more(["content-length", "5"])],
  ["two lengths", more(["content-length", "0"], ["content-length", "0"])],
  ["a length with a sign", more(["content-length", "+0"])],
  ["a negative length", more(["content-length", "-1"])],
  ["an empty length", more(["content-length", ""])],
];

describe("a request over HTTP/2 is refused with", () => {
  it.each(REFUSED)("%s", async (_, fields) => {
    const upstream = await answering();
    const { url, warnings } = await http2To(upstream.url);
    const client = await openFrames(url);
    client.socket.write(headers(fields));
    const answer = await client.next(({ type, stream }) => stream === 1 || type === TYPE.goaway);
    // By Node, which resets the stream, or by the proxy.
    if (answer?.type === TYPE.headers) expect(statusIn(answer)).toBe(400);
    else expect(answer?.payload.readUInt32BE(answer.type === TYPE.goaway ? 4 : 0)).toBe(1);
    expect(upstream.received).toEqual([]);
    expect(warnings).toEqual([]);
    client.socket.destroy();
  });
});

/** Node drops these, and passes the others on. */
const DROPPED: readonly (readonly [string, Field])[] = [
  ["lines in a value", ["x-a", LINES]],
  ["a LF in a value", ["x-a", "1\nhost: b.example"]],
  ["a NUL in a value", ["x-a", "1\0"]],
  ["a control character in a value", ["x-a", "1\x01"]],
  ["lines in a name", [`x-a: ${LINES}`, "1"]],
  ["a colon in a name", ["x-a:b", "1"]],
  ["a space in a name", ["x a", "1"]],
  ["an empty name", ["", "1"]],
];

const SECRET = "x-forwarded-for";

const FORWARDED: readonly (readonly [string, readonly Field[], RegExp])[] = [
  ["the same Host", more(["host", "A.example"]), /^host: A\.example\r$/im],
  [
    "a Host alone",
    [METHOD, [":scheme", "https"], PATH, ["host", "a.example"]],
    /^host: a\.example\r$/m,
  ],
  [
    "another scheme",
    [METHOD, [":scheme", "http"], [":authority", "a"], PATH],
    /^X-Forwarded-Proto: https\r$/m,
  ],
  ["needless escapes and dots", to("/%61/%2e%2E/%7Eb/./c?x=%61"), /^GET \/~b\/c\?x=%61 HTTP/],
  ["repeated slashes", to("/a//b/%2fe/"), /^GET \/a\/b\/%2Fe\/ HTTP/],
  ["a backslash", to("/a\\b"), /^GET \/a%5Cb HTTP/],
  ["TE: trailers", more(["te", "trailers"]), /^(?![\s\S]*\r\nte:)GET/i],
  ["an address of its own", more([SECRET, "1.2.3.4"]), /^(?![\s\S]*1\.2\.3\.4)GET/],
  ["another spelling of it", more(["x_forwarded_for", "1.2.3.4"]), /^(?![\s\S]*1\.2\.3\.4)GET/],
  ["a length of 0", more(["content-length", "0"]), /^GET \/a HTTP/],
  ...DROPPED.map(([name, field]) => {
    return [`${name}, dropped`, more(field), /^(?![\s\S]*(?:x.a|admin|b\.example))GET/] as const;
  }),
];

describe("a request over HTTP/2 is forwarded as one with", () => {
  it.each(FORWARDED)("%s", async (_, fields, seen) => {
    const upstream = await answering();
    const { url } = await http2To(upstream.url);
    const client = await openFrames(url);
    client.socket.write(headers(fields));
    const answer = await client.next(({ stream }) => stream === 1);
    expect(answer && statusIn(answer)).toBe(200);
    expect(upstream.received).toHaveLength(1);
    expect(upstream.received[0]).toMatch(seen);
    expect(upstream.received[0]?.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(1);
    client.socket.destroy();
  });

  it("a length, and not with more or less than that", async () => {
    const upstream = await answering();
    const { url } = await http2To(upstream.url);
    const fields = [[":method", "POST"], ...PLACE, PATH, ["content-length", "5"]] as const;
    for (const [text, isWhole] of [
      ["hello", true],
      ["hello!", false],
      ["hell", false],
    ] as const) {
      const client = await openFrames(url);
      client.socket.write(headers(fields as readonly Field[], { isLast: false }));
      const payload = Buffer.from(text);
      client.socket.write(frame({ type: TYPE.data, flags: FLAG.endStream, payload }));
      const types = isWhole ? [TYPE.headers] : [TYPE.reset, TYPE.goaway];
      expect(await client.next(({ type }) => types.includes(type))).toBeDefined();
      client.socket.destroy();
    }
    const whole = upstream.received.filter((text) => text.endsWith("\r\n\r\nhello"));
    expect(whole).toHaveLength(1);
  });
});

describe("a client of HTTP/2 that wants to cost much", () => {
  it("has its headers bounded", async () => {
    const { session } = await http2To((await answering()).url);
    const statusOf = async (fields: OutgoingHttpHeaders) => (await ask(session, fields)).status;
    expect(await statusOf({ "x-a": "a".repeat(16_000) })).toBe(200);
    expect(await statusOf({ "x-a": "a".repeat(17_000) })).toBe(431);
    await expect(statusOf({ "x-a": "a".repeat(40_000) })).rejects.toThrow("ENHANCE_YOUR_CALM");
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, id) => [`x-${id}`, "1"]));
    await expect(statusOf(many)).rejects.toThrow("ENHANCE_YOUR_CALM");
  });

  it("is cut for a head without end", async () => {
    const { url } = await http2To((await answering()).url);
    const client = await openFrames(url);
    client.socket.write(frame({ type: TYPE.headers, payload: fieldBlock(GET) }));
    const next = frame({
      type: TYPE.continuation,
      payload: fieldBlock([["x-a", "a".repeat(1000)]]),
    });
    for (let times = 0; times < 200 && !client.isClosed; times++) client.socket.write(next);
    await client.next(() => false);
    expect(client.isClosed).toBe(true);
  });

  it("is cut for resets without end", async () => {
    const upstream = await answering();
    const { url } = await http2To(upstream.url);
    const client = await openFrames(url);
    const cancel = Buffer.of(0, 0, 0, constants.NGHTTP2_CANCEL);
    for (let stream = 1; stream < 10_000 && !client.isClosed; stream += 2) {
      client.socket.write(headers(GET, { stream }));
      client.socket.write(frame({ type: TYPE.reset, stream, payload: cancel }));
    }
    const cut = await client.next(({ type }) => type === TYPE.goaway);
    // The connection may close before the client has read why.
    if (cut === undefined) expect(client.isClosed).toBe(true);
    else expect(cut.payload.readUInt32BE(4)).not.toBe(constants.NGHTTP2_NO_ERROR);
    client.socket.destroy();
  });

  it("may have a hundred requests at once", async () => {
    const { session } = await http2To((await answering()).url);
    await ask(session, {});
    expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
    expect(session.remoteSettings.enableConnectProtocol).toBe(false);
  });
});
