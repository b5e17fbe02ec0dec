import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import {
  type ClientHttp2Stream,
  connect,
  constants,
  createServer as createHttp2,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import {
  adaptiveShedder,
  closeSignal,
  priorityOf,
  type ShedderEvent,
} from "../../src/shedding/index.ts";

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test("work that waits is withdrawn when its client closes the connection", async () => {
  const withdrawn = Promise.withResolvers<ShedderEvent>();
  const shedder = adaptiveShedder({ cap: 1, onEvent: withdrawn.resolve });
  const first = await shedder.admit();
  const asked = Promise.withResolvers<void>();
  const server = createServer(async (_, response) => {
    const admission = shedder.admit({ signal: closeSignal(response) });
    asked.resolve();
    expect((await admission).ok).toBe(false);
    response.end();
  });
  const client = request({ port: await listening(server), host: "127.0.0.1" });
  client.on("error", () => {});
  client.end();
  await asked.promise;
  expect(shedder.stats().waiting).toBe(1);
  client.destroy();
  expect(await withdrawn.promise).toMatchObject({ type: "shed", cause: "withdrawn" });
  expect(shedder.stats()).toMatchObject({ waiting: 0, inFlight: 1 });
  first.done();
  server.close();
});

test("a response that was answered aborts nothing, and one that is gone already does at once", async () => {
  const aborted: boolean[] = [];
  const server = createServer((_, response) => {
    const signal = closeSignal(response);
    response.on("close", () => aborted.push(signal.aborted));
    response.end("ok");
  });
  const port = await listening(server);
  await (await fetch(`http://127.0.0.1:${port}`)).text();
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  expect(aborted).toEqual([false]);
  const gone = { destroyed: true, writableEnded: false, once: () => expect.unreachable() };
  expect(closeSignal(gone).aborted).toBe(true);
});

test("of HTTP/2, a stream that is cancelled has gone, and one that was answered has not", async () => {
  const closed: Promise<boolean>[] = [];
  const server = createHttp2((incoming, response) => {
    const signal = closeSignal(response);
    closed.push(once(incoming.stream, "close").then(() => signal.aborted));
    if (incoming.url === "/answered") response.end("ok");
    else incoming.stream.respond({ ":status": 200 });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const answered: ClientHttp2Stream = session.request({ ":path": "/answered" });
  answered.resume();
  await once(answered, "close");
  const cancelled = session.request({ ":path": "/cancelled" });
  await once(cancelled, "response");
  cancelled.close(constants.NGHTTP2_CANCEL);
  await once(cancelled, "close");
  expect(await Promise.all(closed)).toEqual([false, true]);
  session.close();
  server.close();
});

test("a priority from outside is one of the four, or what is said for others", () => {
  expect(priorityOf(" Critical ")).toBe("critical");
  expect(priorityOf("background")).toBe("background");
  const others = ["urgent", "", undefined, null, ["critical"], 1, "constructor"];
  expect(others.map((text) => priorityOf(text))).toEqual(others.map(() => "normal"));
  expect(priorityOf("urgent", "low")).toBe("low");
});

test("a process in which work waits stays until it has its answer", async () => {
  const script = `
    import { adaptiveShedder } from "spillway/shedding";
    const shedder = adaptiveShedder({ cap: 1 });
    await shedder.admit();
    console.log((await shedder.admit({ deadline: 20 })).ok);
  `;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: import.meta.dirname,
  });
  expect(stdout).toBe("false\n");
});
