import { listFrom } from "./command.ts";
import type { RedisNode } from "./redis-node.ts";
import type { Reply } from "./reply.ts";

/** What sentinels know their master by. */
export const NAME = "spillway";

/** The port of the master, if all sentinels name the same. */
export async function masterSeenBy(sentinels: readonly RedisNode[]): Promise<number | undefined> {
  const ports = await Promise.all(sentinels.map(masterPort));
  return new Set(ports).size === 1 ? ports[0] : undefined;
}

async function masterPort({ port }: RedisNode): Promise<number> {
  const [, masterAt] = await listFrom(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
  return Number(masterAt);
}

/** Whether a sentinel knows all others, and a replica that has what its master has. */
export async function isWatching({ port }: RedisNode, sentinels: number): Promise<boolean> {
  const master = fields(await listFrom(port, "SENTINEL", "MASTER", NAME));
  const others = Number(master.get("num-other-sentinels"));
  if (master.get("flags") !== "master" || others !== sentinels - 1) return false;
  const replicas = (await listFrom(port, "SENTINEL", "REPLICAS", NAME)).map((reply) =>
    fields(reply as readonly Reply[]),
  );
  const isFit = (replica: Fields) =>
    replica.get("flags") === "slave" && replica.get("master-link-status") === "ok";
  return replicas.length > 0 && replicas.every(isFit);
}

type Fields = ReadonlyMap<Reply, Reply>;

/** Names and values come in turns. */
function fields(list: readonly Reply[]): Fields {
  const pairs = list.flatMap((name, index): [Reply, Reply][] =>
    index % 2 === 0 ? [[name, list[index + 1] ?? null]] : [],
  );
  return new Map(pairs);
}
