/** A slot of a cluster that is half moved, while something befalls the node that it goes to: the service goes on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command, listFrom } from "../../../../spillway/test/servers/command.ts";
import {
  type RedisCluster,
  startCluster,
} from "../../../../spillway/test/servers/redis-cluster.ts";
import type { RedisNode } from "../../../../spillway/test/servers/redis-node.ts";
import { until } from "../../../../spillway/test/servers/until.ts";
import { descriptor } from "../../support/service.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";

const RULES = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: 1000000 }
`;
/** Requests in flight at once, so that some are on their way when a connection ends. */
const AT_ONCE = 20;

let cluster: RedisCluster;
let service: ServiceProcess;

beforeAll(async () => {
  cluster = await startCluster({ replicas: 0, args: ["--cluster-node-timeout", "2500"] });
  const hosts = cluster.ports.map((port) => `127.0.0.1:${port}`).join();
  service = await startService({ rules: RULES, args: ["--store", `redis+cluster://${hosts}`] });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** Asks for one user many times at once. Returns how many answers came from Redis, and how many did not. */
async function ask(): Promise<{ readonly stored: number; readonly degraded: number }> {
  const body = { domain: "shop", descriptors: [descriptor("user=ann")] };
  const asked = Array.from({ length: AT_ONCE }, () => service.post("/v1/limit", body));
  const stored = (await Promise.all(asked)).filter(({ status }) => status === 200).length;
  return { stored, degraded: AT_ONCE - stored };
}

const isAnswered = async () => (await ask()).stored > 0;
const isHindered = async () => (await ask()).degraded > 0;

async function masterWithKeys(): Promise<{ readonly key: string; readonly slot: number }> {
  for (const { port } of cluster.nodes) {
    const [key] = await listFrom(port, "KEYS", "*");
    if (key !== undefined) return { key: String(key), slot: await cluster.slotOf(String(key)) };
  }
  throw new Error("no node has a key");
}

type Misfortune = (target: RedisNode, meanwhile: () => Promise<void>) => Promise<void>;

const MISFORTUNES: Readonly<Record<string, Misfortune>> = {
  async "is killed"(target, meanwhile) {
    await target.kill();
    await meanwhile();
    await target.restart();
  },
  async "is cut off, over and over"({ port }, meanwhile) {
    let isOver = false;
    const cutting = until(
      async () => {
        await command(port, "CLIENT", "KILL", "TYPE", "normal");
        return isOver;
      },
      { what: "the service has noticed" },
    );
    await meanwhile().finally(() => {
      isOver = true;
    });
    await cutting;
  },
  stops: (target, meanwhile) => target.haltWhile(meanwhile),
};

describe("a slot is half moved, and the node that it goes to", () => {
  it.for(Object.entries(MISFORTUNES))("%s", async ([, befalls]) => {
    await until(isAnswered, { what: "the key is there" });
    const { slot } = await masterWithKeys();
    const move = await cluster.beginMove(slot);
    await move.moveKeys();
    await until(isAnswered, { what: "it is answered by the node that the slot goes to" });
    await befalls(move.target, () => until(isHindered, { what: "answers are missing" }));
    await until(isAnswered, { what: "it is answered again" });
    await move.finish();
    expect(service.said).not.toContain("Error:");
  });

  it("and the service, which has lived through all, ends as it was told to", async () => {
    expect(await service.stop()).toBe(0);
  });
});
