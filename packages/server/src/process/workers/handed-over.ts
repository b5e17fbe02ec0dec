/**
 * Tracks connections that the primary process has handed to a worker, until the worker confirms
 * them.
 */
import type { ChildProcess } from "node:child_process";

/** Messages of Node's cluster module, which are not documented. */
type ClusterMessage = { readonly act?: unknown; readonly seq?: unknown };
type ClusterAck = { readonly ack?: unknown };
type Handle = { close?(): void };

/**
 * Closes unconfirmed connections when a worker ends. Node keeps them open until the primary process
 * ends: their clients would wait forever without an answer, and each costs a descriptor.
 */
export function closeUnconfirmed(worker: ChildProcess): void {
  const handed = new Map<unknown, Handle>();
  const send = worker.send.bind(worker) as (...values: unknown[]) => boolean;
  worker.send = (...values: unknown[]) => {
    const [message, handle] = values as [ClusterMessage | undefined, Handle | undefined];
    if (message?.act === "newconn" && handle) handed.set(message.seq, handle);
    return send(...values);
  };
  worker.on("internalMessage", ({ ack }: ClusterAck) => void handed.delete(ack));
  worker.once("exit", () => {
    for (const handle of handed.values()) handle.close?.();
    handed.clear();
  });
}
