import { command, textFrom } from "./command.ts";
import { LOOPBACK } from "./ports.ts";
import { type RedisNode, startRedis } from "./redis-node.ts";
import { until } from "./until.ts";

const SLOTS = 16_384;

const ARGS = [
  ...["--cluster-enabled", "yes"],
  ...["--cluster-config-file", "nodes.conf"],
  // Milliseconds of silence until a node is taken for dead: failing over begins then.
  ...["--cluster-node-timeout", "1000"],
  // What is left of a cluster goes on serving its slots.
  ...["--cluster-require-full-coverage", "no"],
  // A replica stands for election however long it has not heard of its master.
  ...["--cluster-replica-validity-factor", "0"],
  // A replica stays with its shard.
  ...["--cluster-migration-barrier", "100"],
  ...["--repl-diskless-sync-delay", "0"],
  // Nobody hears of a replica before something came from its master: a ping, each second.
  ...["--repl-ping-replica-period", "1"],
];

/** Starts the nodes of a cluster that don't know each other yet; all, or none if one fails. */
export async function startNodes(count: number, args: readonly string[]): Promise<RedisNode[]> {
  const starts = Array.from({ length: count }, () => startRedis({ args: [...ARGS, ...args] }));
  const outcomes = await Promise.allSettled(starts);
  const nodes = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failure = outcomes.find((each) => each.status === "rejected");
  if (failure === undefined) return nodes;
  await Promise.all(nodes.map((node) => node.stop()));
  throw failure.reason;
}

/** Makes a cluster of nodes, of which the first so many become masters and the others replicas. */
export async function unite(nodes: readonly RedisNode[], masters: number): Promise<void> {
  await Promise.all(nodes.map(giveEpoch));
  await Promise.all(nodes.slice(0, masters).map((node, at) => giveSlots(node, { at, masters })));
  await introduce(nodes);
  const replicas = nodes.slice(masters);
  const follow = (node: RedisNode, at: number) => replicate(node, nodes[at % masters]);
  await Promise.all(replicas.map(follow));
}

/** An epoch of its own for each, or they would settle first who keeps the one that all begin with. */
async function giveEpoch({ port }: RedisNode, at: number): Promise<void> {
  await command(port, "CLUSTER", "SET-CONFIG-EPOCH", at + 1);
}

type Share = { readonly at: number; readonly masters: number };

async function giveSlots({ port }: RedisNode, { at, masters }: Share): Promise<void> {
  const first = Math.floor((at * SLOTS) / masters);
  const end = Math.floor(((at + 1) * SLOTS) / masters);
  const slots = Array.from({ length: end - first }, (_, index) => first + index);
  // ADDSLOTSRANGE would be shorter, and came with version 7.
  await command(port, "CLUSTER", "ADDSLOTS", ...slots);
}

async function introduce(nodes: readonly RedisNode[]): Promise<void> {
  const [first, ...others] = nodes;
  if (first === undefined) return;
  for (const { port } of others) await command(first.port, "CLUSTER", "MEET", LOOPBACK, port);
  const acquainted = async ({ port }: RedisNode) => {
    const known = (await textFrom(port, "CLUSTER", "NODES")).trimEnd().split("\n");
    return known.length === nodes.length && !known.some((line) => line.includes("handshake"));
  };
  await until(async () => (await Promise.all(nodes.map(acquainted))).every(Boolean), {
    what: "all nodes know each other",
  });
}

async function replicate({ port }: RedisNode, master: RedisNode | undefined): Promise<void> {
  if (master === undefined) throw new Error("A replica needs a master.");
  await command(port, "CLUSTER", "REPLICATE", await idOf(master));
}

/** A node's name within its cluster. */
export function idOf({ port }: RedisNode): Promise<string> {
  return textFrom(port, "CLUSTER", "MYID");
}
