import { idOf } from "./cluster-setup.ts";
import { command, listFrom } from "./command.ts";
import { LOOPBACK } from "./ports.ts";
import type { RedisNode } from "./redis-node.ts";

/** Keys that are moved at once. */
const BATCH = 100;
/** Milliseconds that moving them may take. */
const PATIENCE = 10_000;

export type Route = {
  readonly slot: number;
  readonly source: RedisNode;
  readonly target: RedisNode;
};

/** From now on the source asks clients to look at the target for keys of the slot it hasn't. */
export async function open({ slot, source, target }: Route): Promise<void> {
  const [sourceId, targetId] = await Promise.all([idOf(source), idOf(target)]);
  // The target first: it must be ready for those whom the source sends.
  await command(target.port, "CLUSTER", "SETSLOT", slot, "IMPORTING", sourceId);
  await command(source.port, "CLUSTER", "SETSLOT", slot, "MIGRATING", targetId);
}

/** Moves all keys of the slot, however many. */
export async function moveKeys({ slot, source, target }: Route): Promise<void> {
  for (;;) {
    const keys = await listFrom(source.port, "CLUSTER", "GETKEYSINSLOT", slot, BATCH);
    if (keys.length === 0) return;
    const to = [LOOPBACK, target.port, "", 0, PATIENCE];
    await command(source.port, "MIGRATE", ...to, "KEYS", ...keys.map(String));
  }
}

/** Tells all masters who has the slot now; the target first, so that it is never nobody's. */
export async function close(route: Route, masters: readonly RedisNode[]): Promise<void> {
  const { slot, source, target } = route;
  const id = await idOf(target);
  for (const node of new Set([target, source, ...masters])) {
    await command(node.port, "CLUSTER", "SETSLOT", slot, "NODE", id);
  }
}
