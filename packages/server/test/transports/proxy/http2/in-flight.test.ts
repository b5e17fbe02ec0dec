/** Streams that end early, wait, or meet a stop. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type ClientHttp2Stream, constants } from "node:http2";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { atEnd } from "../../../support/at-end.ts";
import { rawUpstream, upstreamOf } from "../scene.ts";
import { frame, headers, openFrames, TYPE } from "./frames.ts";
import { ask, connectTo, http2To, unitsLeft, until } from "./scene.ts";

/** Streams that clients reset: ten thousand with `npm run soak`. */
const RESET = 500 * Number(process.env.SPILLWAY_RUNS ?? 1);

const GET = { ":scheme": "https", ":authority": "a.example", ":path": "/reports/1" };
const POST = { ":method": "POST", ...GET };

describe("streams in flight", () => {
  it("hold a lease until their response has left", async () => {
    const waiting: ServerResponse[] = [];
    const to = await upstreamOf((_, response) => void waiting.push(response));
    const scene = await http2To(to);
    const all = [1, 2, 3].map(() => ask(scene.session, GET));
    await until(() => waiting.length === 3);
    expect((await ask(scene.session, GET)).status).toBe(429);
    for (const response of waiting) response.end("done");
    for (const one of all) expect(await one).toMatchObject({ status: 200, body: "done" });
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("leave no lease, and no request upstream, if their clients reset them", async () => {
    let arrived = 0;
    let gone = 0;
    const to = await upstreamOf((request, response) => {
      arrived++;
      request.resume();
      response.once("close", () => gone++);
      if (arrived % 2 === 0) response.write("the first part");
    });
    const scene = await http2To(to);
    let { session } = scene;
    for (let id = 0; id < RESET; id++) {
      // Node cuts clients that reset a thousand streams at once.
      if (id % 200 === 199) session = connectTo(scene.url);
      const before = arrived;
      const stream = session.request(id % 3 === 0 ? POST : GET);
      stream.on("error", () => {});
      if (id % 3 === 0) stream.write("hello");
      await until(() => arrived > before);
      stream.close(id % 5 === 0 ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
      await until(() => gone === arrived);
    }
    expect(arrived).toBe(RESET);
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("leave no lease if their connection breaks, or if they are reset at once", async () => {
    const to = await upstreamOf((request, response) => {
      if (request.url === "/other") response.end();
    });
    const scene = await http2To(to);
    for (let id = 0; id < 100; id++) {
      const stream = scene.session.request(GET);
      stream.on("error", () => {});
      stream.close(constants.NGHTTP2_CANCEL);
    }
    expect((await ask(scene.session, { ...GET, ":path": "/other" })).status).toBe(200);
    await until(async () => (await unitsLeft(scene)) === 3);
    for (let id = 0; id < 3; id++) scene.session.request(GET).on("error", () => {});
    await until(async () => (await unitsLeft(scene)) === 0);
    scene.session.destroy();
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it.each([constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_CANCEL])(
    "with half a body never end as whole requests upstream, by a reset of %i",
    async (code) => {
      const upstream = await rawUpstream(() => {});
      const scene = await http2To(upstream.url);
      // Node's client ends a body before it resets the stream.
      const { socket } = await openFrames(scene.url);
      socket.write(headers(Object.entries(POST), { isLast: false }));
      socket.write(frame({ type: TYPE.data, payload: Buffer.from("hello") }));
      await until(() => upstream.received[0]?.endsWith("hello") === true);
      socket.write(frame({ type: TYPE.reset, payload: Buffer.of(0, 0, 0, code) }));
      await until(async () => (await unitsLeft(scene)) === 3);
      expect(upstream.received.join("")).not.toContain("\r\n0\r\n");
    },
  );

  it("leave no lease if they are reset while the upstream reads nothing", async () => {
    const to = await upstreamOf((request) => void request.pause());
    const scene = await http2To(to);
    const stream = scene.session.request(POST);
    stream.on("error", () => {});
    const [, held] = await flooded(stream);
    expect(held).toBeLessThan(64 * 1024 * 1024);
    stream.close(constants.NGHTTP2_CANCEL);
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("above the bound of all connections are refused, so that they may be sent again", async () => {
    const defences: string[] = [];
    const waiting: ServerResponse[] = [];
    const to = await upstreamOf((_, response) => void waiting.push(response));
    const onDefence = (defence: string) => void defences.push(defence);
    const scene = await http2To(to, { bounds: { maxPipelined: 2 }, onDefence });
    const all = [connectTo(scene.url), scene.session].map((session) => ask(session, GET));
    await until(() => waiting.length === 2);
    const third = scene.session.request(GET);
    third.on("error", () => {});
    await new Promise<void>((resolve) => third.once("close", resolve));
    expect(third.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM);
    expect(defences).toEqual(["stream-refused"]);
    for (const response of waiting) response.end("ok");
    for (const one of all) expect((await one).status).toBe(200);
  });

  it("that their client does not read are cut, also after a long wait for them", async () => {
    const defences: string[] = [];
    const to = await upstreamOf((_, response) => response.end(Buffer.alloc(1024 * 1024)));
    const onDefence = (defence: string) => void defences.push(defence);
    const scene = await http2To(to, { bounds: { writeTimeout: 1 }, onDefence });
    const stream = scene.session.request(GET);
    stream.on("error", () => {});
    stream.pause();
    await until(() => defences.length > 0);
    expect(defences).toEqual(["reader-cut"]);
    await until(async () => (await unitsLeft(scene)) === 3);
    expect((await ask(scene.session, { ":path": "/other", ":method": "HEAD" })).status).toBe(200);
  });
});

/** Writes until nothing more leaves for many turns. Returns the bytes of the last two looks. */
async function flooded(stream: ClientHttp2Stream): Promise<[number, number]> {
  const chunk = Buffer.alloc(64 * 1024, "x");
  let written = 0;
  const write = () => {
    while (!stream.destroyed && written < 128 * 1024 * 1024) {
      written += chunk.length;
      if (!stream.write(chunk)) return void stream.once("drain", write);
    }
  };
  write();
  let last = -1;
  for (let calm = 0; calm < 2000; calm++) {
    await turn();
    if (written !== last) calm = 0;
    last = written;
  }
  return [last, written];
}

describe("a body over HTTP/2", () => {
  const CHUNK = Buffer.alloc(64 * 1024, "x");
  const LARGE = 64 * 1024 * 1024;

  it("waits for a client that reads slowly, while others are answered", async () => {
    let written = 0;
    let isWaiting = false;
    const to = await upstreamOf((request, response) => {
      if (request.url === "/small") return void response.end("small");
      const write = () => {
        while (written < LARGE) {
          written += CHUNK.length;
          if (!response.write(CHUNK)) {
            isWaiting = true;
            return void response.once("drain", write);
          }
        }
        response.end();
      };
      write();
    });
    const { session } = await http2To(to);
    const stream = session.request({ ...GET, ":path": "/large" });
    await once(stream, "response");
    for (let calm = 0, last = -1; calm < 2000; calm++) {
      await turn();
      if (written !== last || !isWaiting) calm = 0;
      last = written;
    }
    expect(written).toBeLessThan(LARGE / 2);
    expect(await ask(session, { ...GET, ":path": "/small" })).toMatchObject({ body: "small" });
    let received = 0;
    stream.on("data", (chunk) => {
      received += chunk.length;
    });
    await once(stream, "end");
    expect(received).toBe(LARGE);
  });
});

describe("a stop over HTTP/2", () => {
  it("finishes streams, informs the client, and loses no request", async () => {
    const waiting: ServerResponse[] = [];
    const to = await upstreamOf((_, response) => void waiting.push(response));
    const scene = await http2To(to);
    const errors: unknown[] = [];
    scene.session.on("error", (error) => errors.push(error));
    const first = ask(scene.session, GET);
    await until(() => waiting.length === 1);
    const goaway = once(scene.session, "goaway");
    const closed = scene.proxy.close();
    const [code] = await goaway;
    expect(code).toBe(constants.NGHTTP2_NO_ERROR);
    waiting[0]?.end("late");
    expect(await first).toMatchObject({ status: 200, body: "late" });
    await closed;
    expect(errors).toEqual([]);
    expect(await unitsLeft(scene)).toBe(3);
  });

  it("answers by 503 what takes too long", async () => {
    let arrived = 0;
    const to = await upstreamOf(() => void arrived++);
    const scene = await http2To(to, { stop: { quiet: 0, whole: 100, linger: 100 } });
    const first = ask(scene.session, GET);
    await until(() => arrived === 1);
    atEnd(() => scene.session.destroy());
    await scene.proxy.close();
    const { status, body } = await first;
    expect([status, JSON.parse(body).code]).toEqual([503, "stopping"]);
    expect(await unitsLeft(scene)).toBe(3);
  });
});
