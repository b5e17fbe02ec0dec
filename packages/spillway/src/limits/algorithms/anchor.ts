import type { Budget } from "../core/index.ts";

/**
 * Returns an instant at which one of a key's windows begins. Pure.
 *
 * This is the plan's `start`, or an instant derived from the limit's name and the key, and 0 for
 * kinds without windows. It is the same in every process, and for all shards of a key.
 */
export function anchorOf(budget: Budget): number {
  const { plan } = budget;
  if (plan.windowAlignment === 1) return 0;
  if (plan.start !== undefined) return plan.start;
  const whole = budget.shardOf ?? budget;
  const { limit, key } = whole.alignedWith ?? { limit: plan.limit, key: whole.key };
  const text = key === undefined ? limit : `${limit.length}:${limit}${key}`;
  return Math.floor((hash(text) / 2 ** 32) * plan.period);
}

/**
 * Returns a 32-bit hash of a text. Pure.
 *
 * FNV-1a over UTF-16 units, with MurmurHash3's last mix so that all bits matter.
 */
export function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
