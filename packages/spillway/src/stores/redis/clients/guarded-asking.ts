/** A connection to one node of a cluster, as ioredis keeps it. */
type ClusterNode = { asking?(...args: unknown[]): Promise<unknown> };

/** What is used of ioredis' `Cluster` beside its commands. */
export type NodesOfCluster = {
  nodes?(): readonly ClusterNode[];
  on(event: "+node", listener: (node: ClusterNode) => void): unknown;
};

const guarded = new WeakSet<object>();

/**
 * Keeps a slot that moves from ending the process. Before a command that a server redirects with `ASK`,
 * ioredis sends `ASKING`, and drops its promise: where that is refused, or its connection closes, nobody
 * handles the rejection. The command itself fails as well, so that nothing is hidden.
 */
export function guardAsking(cluster: NodesOfCluster): void {
  if (guarded.has(cluster)) return;
  guarded.add(cluster);
  cluster.on("+node", guard);
  for (const node of cluster.nodes?.() ?? []) guard(node);
}

/** Marks rejections of a node's `asking` as handled; whoever waits for one still receives it. */
function guard(node: ClusterNode): void {
  const { asking } = node;
  if (asking === undefined) return;
  node.asking = (...args) => {
    const asked = asking.apply(node, args);
    asked.catch(() => {});
    return asked;
  };
}
