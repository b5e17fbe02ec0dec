import type { Random } from "../../limits/core/index.ts";

/** Odd ids just below 2⁵³ were met that a client of Redis did not bring through; these are far from there. */
const LAST_ID = 2 ** 52;

/** A random id for a share or a lease, from 1 to 2⁵²: two that are the same are not to be expected. */
export function newId(random: Random): number {
  return 1 + Math.floor(random() * LAST_ID);
}
