/** A client of HTTP/2 that asks for a hundred responses, and reads nothing of them. */
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { type proxyTo, RULES, upstreamOf, upstreamSockets } from "../scene.ts";
import { type Field, frame, headers, openFrames, TYPE } from "./frames.ts";
import { http2To, unitsLeft, until } from "./scene.ts";

const STREAMS = 100;
const BYTES = 192 * 1024;
/** What buffers of Node and undici hold of one response, at most. */
const MOST_HELD = 320 * 1024;
const HOUR = 3_600_000;

const get = (id: number): readonly Field[] => [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "a.example"],
  [":path", `/reports/${id}`],
];

type Options = Parameters<typeof proxyTo>[1] & {
  /** Whether the client admits all bytes, so that only its socket is full. */
  readonly admitsAll: boolean;
  /** The length of each response. */
  readonly bytes?: number;
};

/** Sends the requests, and waits until the upstream has written all of them. */
async function start({ admitsAll, bytes = BYTES, ...options }: Options) {
  const body = Buffer.alloc(bytes);
  let written = 0;
  const to = await upstreamOf((_, response) => {
    response.end(body, () => written++);
  });
  const defences: string[] = [];
  const onDefence = (defence: string) => void defences.push(defence);
  const rules = RULES.replace("capacity: 3", `capacity: ${STREAMS}`);
  const scene = await http2To(to, { rules, onDefence, ...options });
  const arrived: Socket[] = [];
  scene.proxy.server.on("secureConnection", (socket: Socket) => arrived.push(socket));
  const { socket: client } = await openFrames(scene.url, { allowHalfOpen: true, admitsAll });
  const socket = arrived.find(({ remotePort }) => remotePort === client.localPort) as Socket;
  client.pause();
  for (let id = 0; id < STREAMS; id++) client.write(headers(get(id), { stream: 2 * id + 1 }));
  await until(() => written === STREAMS);
  const areLeasesBack = async () => (await unitsLeft(scene)) === STREAMS;
  return { scene, client, socket, defences, areLeasesBack };
}

describe.each([
  { admitsAll: true, full: "socket" },
  { admitsAll: false, full: "window" },
])("a hundred responses to a client whose $full is full", ({ admitsAll }) => {
  it("leave no lease, and the proxy holds a part of each", async () => {
    const upstreams = upstreamSockets();
    const bounds = { keepAliveTimeout: HOUR, writeTimeout: 1000 };
    const bytes = 2 ** 20;
    const { client, socket, defences, areLeasesBack } = await start({ admitsAll, bytes, bounds });
    let received = 0;
    for (const { bytesRead } of upstreams) received += bytesRead;
    expect(received - socket.bytesWritten).toBeLessThan(STREAMS * MOST_HELD);
    await until(areLeasesBack);
    expect(new Set(defences)).toEqual(new Set(["reader-cut"]));
    client.destroy();
  });

  it.each(["destroy", "end"] as const)("leave no lease if it goes by %s", async (leave) => {
    // While bytes wait to be written, Node reads nothing, and so may not see that a client goes.
    const ms = admitsAll ? 500 : HOUR;
    const bounds = { keepAliveTimeout: ms, writeTimeout: ms };
    const { client, socket, areLeasesBack } = await start({ admitsAll, bounds });
    client[leave]();
    await until(areLeasesBack);
    await until(() => socket.destroyed);
    client.destroy();
  });

  it("do not hold up a stop", async () => {
    const bounds = { keepAliveTimeout: HOUR, writeTimeout: HOUR };
    const stop = { quiet: 0, whole: 100, linger: 100 };
    const { scene, client, socket, areLeasesBack } = await start({ admitsAll, bounds, stop });
    await scene.proxy.close();
    expect(socket.destroyed).toBe(true);
    expect(await areLeasesBack()).toBe(true);
    client.destroy();
  });
});

it("a client that sends pings, and reads nothing, keeps no lease", async () => {
  const bounds = { keepAliveTimeout: HOUR, writeTimeout: 500 };
  const { client, areLeasesBack } = await start({ admitsAll: false, bounds });
  const ping = frame({ type: TYPE.ping, stream: 0, payload: Buffer.alloc(8) });
  const pings = setInterval(() => client.write(ping), 20);
  await until(areLeasesBack);
  clearInterval(pings);
  client.destroy();
});
