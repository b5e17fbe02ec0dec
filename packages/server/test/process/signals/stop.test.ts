import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { keepAsking, requestOf } from "../../support/keep-asking.ts";
import { descriptor } from "../../support/service.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";

// Processes are slow to start on a busy machine.

const MANY = 1e9;
const rules = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: ${MANY} }
`;
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const request = requestOf("/v1/limit", ann);

async function connected({ port }: ServiceProcess): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Tells it to stop, and waits until it is about to. */
async function stopping(service: ServiceProcess): Promise<{ readonly code: Promise<unknown> }> {
  const code = service.stop();
  await until(async () => (await service.health()) === "503 Stopping", { what: "it stops" });
  return { code };
}

/** Answers that came on one connection, one after the other. */
function split(answers: string): readonly string[] {
  return answers.split(/(?=HTTP\/1\.1 )/).filter(Boolean);
}

const isOk = (answer: string) => answer.startsWith("HTTP/1.1 200 OK");
const isLast = (answer: string) => /^connection: close\r$/im.test(answer);

it.each([1, 2, 3, 4])("answers all that 64 busy connections ask (round %i)", async () => {
  await using service = await startService({ rules });
  const asking = keepAsking({ port: service.port, clients: 64, request });
  await service.post("/v1/limit", ann);
  expect(await service.stop()).toBe(0);
  const { statuses, remaining, ...count } = await asking;
  expect(count).toEqual({ unanswered: 0, errors: [], closed: 64 });
  expect([...statuses.keys()]).toEqual([200]);
  // Each was charged once, and nothing was that had no answer.
  expect(MANY - remaining).toBeLessThanOrEqual((statuses.get(200) ?? 0) + 1);
});

it("answers who comes while it stops, and all that was sent together", async () => {
  await using service = await startService({ rules });
  await service.post("/v1/limit", ann);
  const { code } = await stopping(service);
  const socket = await connected(service);
  socket.write(request.repeat(3));
  const answers = split(await text(socket));
  expect(answers.map(isOk)).toEqual([true, true, true]);
  expect(answers.map(isLast)).toEqual([false, false, true]);
  expect(await code).toBe(0);
});

it("charges nothing for what comes after the last answer", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "spillway-stop-"));
  const store = `sqlite:${join(folder.path, "limits.db")}`;
  await using service = await startService({ rules, store });
  await service.post("/v1/limit", ann);
  const { code } = await stopping(service);
  const socket = await connected(service);
  socket.write(request.repeat(400));
  const answers = split(await text(socket));
  expect(answers.map(isLast).indexOf(true)).toBe(answers.length - 1);
  expect(await code).toBe(0);
  // Another one tells what was charged: the first may have gone before it can be asked.
  await using next = await startService({ rules, store });
  const { body } = await next.post("/v1/check", { ...ann, count: 0 });
  expect(body.remaining).toBe(MANY - 1 - answers.length);
});

it("resets nobody who is still sending when the last answer is written", async () => {
  await using service = await startService({ rules });
  await service.post("/v1/limit", ann);
  const { code } = await stopping(service);
  const socket = await connected(service);
  const errors: Error[] = [];
  socket.on("error", (error) => errors.push(error));
  const closed = once(socket, "close");
  const most = 16_000_000;
  socket.write(requestOf("/v1/limit", ann, most));
  // What is left unread when a connection is closed causes a reset.
  socket.write(Buffer.alloc(most));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*"body-too-large"/s);
  await closed;
  expect(errors).toEqual([]);
  expect(await code).toBe(0);
});

it("closes connections on which nothing is asked, without a reset", async () => {
  await using service = await startService({ rules });
  const silent = await connected(service);
  const idle = await connected(service);
  const unfinished = await connected(service);
  const ends = [silent, idle, unfinished].map((socket) => text(socket));
  idle.write(request);
  await once(idle, "data");
  unfinished.write("POST /v1/limit HTTP/1.1\r\nhost:");
  expect(await service.stop()).toBe(0);
  const [nothing, answer, none] = await Promise.all(ends);
  expect([nothing, none]).toEqual(["", ""]);
  expect(split(answer ?? "").map(isOk)).toEqual([true]);
});

it("is out of service at once for whoever looks at its health", async () => {
  await using service = await startService({ rules });
  await service.post("/v1/limit", ann);
  const { code } = await stopping(service);
  expect(await service.health()).toBe("503 Stopping");
  expect(await code).toBe(0);
});

it("reads its rules again on SIGHUP, and goes on", async () => {
  await using service = await startService({ rules });
  service.signal("SIGHUP");
  await service.says(/^\S+Z SIGHUP: no limit has changed/m);
  expect((await service.post("/v1/limit", ann)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});
