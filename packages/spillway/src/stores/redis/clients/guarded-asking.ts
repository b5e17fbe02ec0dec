/** A connection of ioredis to one node of a cluster. */
type ClusterNode = { asking?(...args: unknown[]): Promise<unknown> };

/** The part of ioredis' `Cluster` that is used in addition to its commands. */
export type NodesOfCluster = {
  nodes?(): readonly ClusterNode[];
  on(event: "+node", listener: (node: ClusterNode) => void): unknown;
};

const guarded = new WeakSet<object>();

/**
 * Prevents unhandled rejections while a slot is moved, which would end the process.
 *
 * Before a command that a server redirects with `ASK`, ioredis sends `ASKING` and ignores its
 * promise. So nothing handles the rejection if `ASKING` is refused, or if the connection closes.
 * The command itself fails as well, so no error is hidden.
 */
export function guardAsking(cluster: NodesOfCluster): void {
  if (guarded.has(cluster)) return;
  guarded.add(cluster);
  cluster.on("+node", guard);
  for (const node of cluster.nodes?.() ?? []) guard(node);
}

/** Marks rejections of a node's `asking` as handled. Callers that await them still receive them. */
function guard(node: ClusterNode): void {
  const { asking } = node;
  if (asking === undefined) return;
  node.asking = (...args) => {
    const asked = asking.apply(node, args);
    asked.catch(() => {});
    return asked;
  };
}
