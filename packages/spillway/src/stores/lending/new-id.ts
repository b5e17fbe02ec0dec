import type { Random } from "../../limits/core/index.ts";

/** A client library of Redis corrupts some odd ids just below 2⁵³. These ids are far below that. */
const LAST_ID = 2 ** 52;

/**
 * Returns a random id for a share or a lease, from 1 to 2⁵². Equal ids are practically impossible.
 */
export function newId(random: Random): number {
  return 1 + Math.floor(random() * LAST_ID);
}
