import { listFrom, textFrom } from "./command.ts";
import type { RedisNode } from "./redis-node.ts";
import type { Reply } from "./reply.ts";

/** Neighbouring slots, and who serves them, as one node of a cluster sees it. */
export type Range = {
  readonly from: number;
  readonly to: number;
  readonly master: number;
  readonly replicas: readonly number[];
};

/** What a node believes about all slots, in their order; nodes are named by their ports. */
export async function rangesSeenBy({ port }: RedisNode): Promise<Range[]> {
  const ranges = (await listFrom(port, "CLUSTER", "SLOTS")).map(rangeFrom);
  return ranges.sort((one, other) => one.from - other.from);
}

/** Each is [first slot, last slot, master, replica…], and each of these [address, port, id…]. */
function rangeFrom(reply: Reply): Range {
  const [from, to, ...nodes] = reply as readonly [number, number, ...(readonly Reply[])[]];
  const [master = Number.NaN, ...replicas] = nodes.map(([, port]) => Number(port));
  return { from, to, master, replicas: replicas.sort() };
}

/** The range that has the slot. */
export function rangeOf(slot: number, ranges: readonly Range[]): Range | undefined {
  return ranges.find(({ from, to }) => from <= slot && slot <= to);
}

/** What nodes believe, if they all believe the same. */
export async function commonView(nodes: readonly RedisNode[]): Promise<Range[] | undefined> {
  const views = await Promise.all(nodes.map(rangesSeenBy));
  const [first = []] = views;
  const same = new Set(views.map((view) => JSON.stringify(view))).size === 1;
  return same ? first : undefined;
}

/** Whether nodes agree, all of them have their part, and each can do it. */
export async function isSettled(nodes: readonly RedisNode[]): Promise<boolean> {
  const view = await commonView(nodes);
  if (view === undefined) return false;
  const known = new Set(view.flatMap(({ master, replicas }) => [master, ...replicas]));
  if (!nodes.every(({ port }) => known.has(port))) return false;
  return (await Promise.all(nodes.map(isFit))).every(Boolean);
}

/** Whether a node finds its cluster in order and, as a replica, has all that its master has. */
async function isFit({ port }: RedisNode): Promise<boolean> {
  const [cluster, replication] = await Promise.all([
    textFrom(port, "CLUSTER", "INFO"),
    textFrom(port, "INFO", "replication"),
  ]);
  if (!cluster.includes("cluster_state:ok")) return false;
  return replication.includes("role:master") || replication.includes("master_link_status:up");
}
