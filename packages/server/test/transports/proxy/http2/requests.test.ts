/** Requests and responses over HTTP/2. */
import { once } from "node:events";
import { constants } from "node:http2";
import { request as sendHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { describe, expect, it } from "vitest";
import { proxyTo, rawUpstream, upstreamOf } from "../scene.ts";
import { headers, openFrames, TYPE } from "./frames.ts";
import { answerOf, ask, http2To, tlsTo } from "./scene.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** An upstream that answers each request that has arrived whole, and what it has seen. */
function answering(answer = OK) {
  return rawUpstream((text, socket) => {
    if (text.endsWith("\r\n\r\n") || text.endsWith("hello")) socket.write(answer, "latin1");
  });
}

describe("a request over HTTP/2", () => {
  it("is forwarded by HTTP/1.1, and limited", async () => {
    const upstream = await answering();
    const { session } = await http2To(upstream.url);
    const first = await ask(session, { ":path": "/login?a=1", accept: "text/x" });
    expect(first).toMatchObject({ status: 200, body: "ok" });
    expect(first.headers.ratelimit).toMatch(/^"shop\/.*";r=1;t=\d+$/);
    const second = await ask(session, { ":path": "/LOGIN/" });
    expect(second.status).toBe(200);
    const third = await ask(session, { ":path": "/%6cogin;a=1" });
    expect(third.status).toBe(429);
    expect(Number(third.headers["retry-after"])).toBeGreaterThan(0);
    expect(JSON.parse(third.body)).toMatchObject({ status: 429 });
    const [seen = ""] = upstream.received;
    expect(seen).toMatch(/^GET \/login\?a=1 HTTP\/1\.1\r\n/);
    expect(seen.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(2);
    expect(seen).toMatch(/^host: a\.example\r$/im);
    expect(seen).toMatch(/^X-Forwarded-For: 127\.0\.0\.1\r$/m);
    expect(seen).toMatch(/^X-Forwarded-Proto: https\r$/m);
    expect(seen).toMatch(/^Via: 2\.0 spillway-/m);
    expect(seen).toMatch(/^accept: text\/x\r$/m);
    expect(seen).not.toMatch(/^:/m);
  });

  it("has one cookie for the upstream, and one header of each name", async () => {
    const upstream = await answering();
    const { session } = await http2To(upstream.url);
    await ask(session, { cookie: ["a=1", "b=2", "c=3"], te: "trailers", "x-own": ["1", "2"] });
    const [seen = ""] = upstream.received;
    expect(seen.match(/^cookie: .*\r$/gim)).toEqual(["cookie: a=1; b=2; c=3\r"]);
    expect(seen).not.toMatch(/^te:/im);
  });

  it("has a body, with a length or without, in both directions", async () => {
    const to = await upstreamOf((request, response) => {
      response.setHeader("x-length", request.headers["content-length"] ?? "chunked");
      request.pipe(response);
    });
    const { session } = await http2To(to);
    const body = "x".repeat(1_000_000);
    const chunked = await ask(session, { ":method": "POST" }, body);
    expect(chunked.body === body).toBe(true);
    expect(chunked.headers["x-length"]).toBe("chunked");
    const sized = await ask(session, { ":method": "POST", "content-length": body.length }, body);
    expect(sized.body === body).toBe(true);
    expect(sized.headers["x-length"]).toBe("1000000");
  });

  it("goes both ways at once", async () => {
    const to = await upstreamOf((request, response) => {
      response.flushHeaders();
      request.pipe(response);
    });
    const { session } = await http2To(to);
    const stream = session.request({ ":method": "POST", ":authority": "a.example" });
    for (const word of ["one", "two", "three"]) {
      stream.write(word);
      expect(String((await once(stream, "data"))[0])).toBe(word);
    }
    stream.end();
    await once(stream, "end");
  });

  it("waits with its body for 100, which a refused one does not get", async () => {
    const to = await upstreamOf((request, response) => request.pipe(response));
    const { session } = await http2To(to);
    const headers = {
      ":method": "POST",
      ":path": "/login",
      ":authority": "a",
      expect: "100-continue",
    };
    for (let id = 0; id < 2; id++) {
      const stream = session.request(headers);
      await once(stream, "continue");
      stream.end("hello");
      expect(await answerOf(stream)).toMatchObject({ status: 200, body: "hello" });
    }
    const refused = session.request(headers);
    let isAsked = false;
    refused.on("continue", () => {
      isAsked = true;
    });
    expect((await answerOf(refused)).status).toBe(429);
    await once(refused, "close");
    expect(isAsked).toBe(false);
    expect(refused.rstCode).toBe(0);
  });

  it("is classified by :authority", async () => {
    const rules = `
domain: shop
http:
  - match: { hosts: [a.example] }
    actions: [{ generic_key: { descriptor_value: a } }]
descriptors:
  - { key: generic_key, value: a, rate_limit: { unit: hour, requests_per_unit: 0 } }
`;
    const { session } = await http2To((await answering()).url, { rules });
    const statusOf = async (host: string) => (await ask(session, { ":authority": host })).status;
    expect(await statusOf("A.example:8443")).toBe(429);
    expect(await statusOf("b.example")).toBe(200);
  });
});

describe("a response over HTTP/2", () => {
  it("keeps its headers and trailers, without those of its connection", async () => {
    const upstream = await answering(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nX-Hop: 1\r\n" +
        "Connection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n" +
        "Vary: a\r\nvary: b\r\nX-Text: \xe9\r\nETag: 1\r\nETag: 2\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n",
    );
    const { session } = await http2To(upstream.url);
    const { status, headers, body, trailers } = await ask(session, {});
    expect({ status, body }).toEqual({ status: 200, body: "ok" });
    expect({ ...trailers }).toMatchObject({ "x-sum": "7" });
    expect(headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], vary: "a, b", "x-text": "\xe9" });
    expect(Object.keys(headers)).not.toContain("x-hop");
    expect(Object.keys(headers)).not.toContain("keep-alive");
  });

  it.each([
    { method: "HEAD", answer: "200 OK\r\nContent-Length: 5", length: "5" },
    { method: "GET", answer: "304 Not Modified\r\nContent-Length: 5", length: "5" },
    { method: "GET", answer: "204 No Content", length: undefined },
  ])("to $method may have no body: $answer", async ({ method, answer, length }) => {
    const { session } = await http2To((await answering(`HTTP/1.1 ${answer}\r\n\r\n`)).url);
    const { status, headers, body } = await ask(session, { ":method": method });
    expect(status).toBe(Number.parseInt(answer, 10));
    expect(headers["content-length"]).toBe(length);
    expect(body).toBe("");
  });

  it("begins before its body does, and may come before the request has ended", async () => {
    const to = await upstreamOf((_, response) => response.flushHeaders());
    const { session } = await http2To(to);
    const stream = session.request({ ":method": "POST", ":authority": "a" });
    stream.write("hello");
    await once(stream, "response");
    stream.close();
    const early = await rawUpstream((_, socket) => {
      socket.end(
        "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig",
      );
    });
    const other = await http2To(early.url);
    const upload = other.session.request({ ":method": "POST", ":authority": "a" });
    upload.write("hello");
    expect(await answerOf(upload)).toMatchObject({ status: 413, body: "big" });
    await once(upload, "close");
    expect(upload.rstCode).toBe(0);
  });

  it.each([600, 999])(
    "with the status %i, which HTTP/2 can't have here, is a 502",
    async (status) => {
      const upstream = await answering(OK.replace("200", String(status)));
      const { session, warnings } = await http2To(upstream.url);
      expect(await ask(session, {})).toMatchObject({ status: 502, body: "ok" });
      expect(warnings).toEqual([]);
    },
  );

  it("that breaks off in its body is reset, so that no part passes for the whole", async () => {
    const part = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
    const upstream = await rawUpstream((_, socket) => {
      socket.write(part, () => socket.destroy());
    });
    const { url } = await http2To(upstream.url);
    const client = await openFrames(url);
    const head = { ":method": "GET", ":scheme": "https", ":authority": "a", ":path": "/" };
    client.socket.write(headers(Object.entries(head)));
    const reset = await client.next(({ type }) => type === TYPE.reset);
    expect(reset?.payload).toEqual(Buffer.of(0, 0, 0, constants.NGHTTP2_INTERNAL_ERROR));
    const bodies = client.received.filter(({ type }) => type === TYPE.data);
    expect(bodies.map(({ flags, payload }) => [flags, String(payload)])).toEqual([[0, "hello"]]);
    client.socket.destroy();
  });
});

describe("a connection", () => {
  it.each([
    { offered: ["h2", "http/1.1"], http2: true, chosen: "h2" },
    { offered: ["http/1.1", "h2"], http2: true, chosen: "h2" },
    { offered: ["http/1.1"], http2: true, chosen: "http/1.1" },
    { offered: ["h2", "http/1.1"], http2: false, chosen: "http/1.1" },
  ])("that offers $offered speaks $chosen (http2: $http2)", async ({ offered, http2, chosen }) => {
    const scene = await http2To((await answering()).url, { http2 });
    const socket = connectTls({ ...tlsTo(scene.url), ALPNProtocols: offered });
    await once(socket, "secureConnect");
    expect(socket.alpnProtocol).toBe(chosen);
    socket.destroy();
    const asked = sendHttps({ ...tlsTo(scene.url), path: "/a", agent: false }).end();
    const [response] = await once(asked, "response");
    expect([response.httpVersion, await text(response)]).toEqual(["1.1", "ok"]);
  });

  it("counts under one bound, whatever it speaks", async () => {
    const refused: string[] = [];
    const bounds = { maxConnections: 2 };
    const onDefence = (defence: string) => void refused.push(defence);
    const scene = await http2To((await answering()).url, { bounds, onDefence });
    expect((await ask(scene.session, {})).status).toBe(200);
    const second = connectTls(tlsTo(scene.url));
    await once(second, "secureConnect");
    for (const ALPNProtocols of [["h2"], ["http/1.1"]]) {
      const third = connectTls({ ...tlsTo(scene.url), ALPNProtocols }).resume();
      third.on("error", () => {});
      await once(third, "close");
    }
    expect(refused).toEqual(["connection-refused", "connection-refused"]);
    second.destroy();
  });

  it("in clear text is HTTP/1.1 only", async () => {
    const scene = await proxyTo((await answering()).url);
    const { port } = scene.proxy.server.address() as AddressInfo;
    const { connect } = await import("node:http2");
    const session = connect(`http://127.0.0.1:${port}`);
    const [error] = await once(session, "error");
    expect(error).toBeInstanceOf(Error);
  });
});
