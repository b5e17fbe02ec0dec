/** Clients that send request after request and never read, against the real process. */
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Command } from "../../support/command.ts";
import { connectTo, exchange, getText, postText, statusesOf } from "../../support/raw.ts";
import { descriptor } from "../../support/service.ts";
import { startService } from "../../support/service-process.ts";
import { YEARLY } from "../../support/yearly.ts";

const CONNECTIONS = 40;
const REQUESTS = 3276;

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const ATTACKS = [
  getText("/openapi.json"),
  getText("/healthcheck"),
  getText("/nowhere"),
  postText("/v1/limit", ann),
  postText("/v1/check", ann),
  postText("/v1/reset", ann),
  postText("/json", ann),
];

const scriptOf = (name: string) => new URL(`../../support/processes/${name}`, import.meta.url);
const MEASURED = { NODE_OPTIONS: `--import ${scriptOf("tell-peak-memory.mjs")}` };

function peakOf(said: string): number {
  return Number(/peak memory: (\d+) KiB/.exec(said)?.[1]);
}

/** Attacks, and comes back when somebody else has been answered meanwhile. */
async function attack(place: { readonly url: string }, request: string): Promise<void> {
  const bytes = request.repeat(REQUESTS);
  const attackers: Socket[] = [];
  for (let started = 0; started < CONNECTIONS; started++) {
    const socket = await connectTo(place);
    socket.pause();
    socket.write(bytes);
    attackers.push(socket);
  }
  for (let look = 0; look < 5; look++) {
    await expectHealthy(place);
  }
  for (const socket of attackers) socket.destroy();
}

/** Over a connection of its own: one that is kept may have been idle for too long when its turn comes. */
async function expectHealthy(place: { readonly url: string }): Promise<void> {
  const answer = await exchange(place, getText("/healthcheck", { Connection: "close" }));
  expect(statusesOf(answer)).toEqual([200]);
}

/** What a server needs at most that does nothing but answer with `size` bytes. */
async function peakOfBareServer(size: number): Promise<number> {
  const script = fileURLToPath(scriptOf("bare-server.mjs"));
  const bare = new Command([String(size)], MEASURED, script);
  try {
    const [, url = ""] = await bare.says(/Listening on (\S+)\. /);
    for (const request of ATTACKS) await attack({ url }, request);
  } finally {
    bare.process.kill("SIGTERM");
    await bare.ended();
  }
  return peakOf(bare.stdout);
}

it("need at most twice the memory that a bare server needs under the same attack", async () => {
  await using service = await startService({ rules: YEARLY, env: MEASURED });
  const { byteLength } = await (await fetch(`${service.url}/openapi.json`)).arrayBuffer();
  for (const request of ATTACKS) await attack(service, request);
  await expectHealthy(service);
  expect(await service.stop()).toBe(0);
  expect(peakOf(service.said)).toBeLessThan(2 * (await peakOfBareServer(byteLength)));
  await service.warns(/^\S+ spillway: .*connections cut/m);
});
