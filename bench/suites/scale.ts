/** How cost grows with the work of one call. Each group has a control, or a peer, beside this project. */
import { leases, runs, waiters } from "../scale/crowds.ts";
import { joint } from "../scale/joint.ts";
import { kinds } from "../scale/kinds.ts";
import type { Part } from "../scale/part.ts";
import { longKeys } from "../scale/redis.ts";
import type { Group, Order, Outcome, SelectiveSuite } from "./suite.ts";

/** What is measured, one after the other. */
const PARTS: readonly Part[] = [kinds, joint, leases, waiters, runs, longKeys];

export const scale: SelectiveSuite = async ({ only, progress }: Order): Promise<Outcome> => {
  const groups: Group[] = [];
  for (const part of only.of(PARTS, ({ name }) => name)) {
    groups.push(...(await part.measure(progress)));
  }
  return { groups };
};
