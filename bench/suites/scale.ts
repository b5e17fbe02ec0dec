/** How cost grows with the work of one call. Each group has a control, or a peer, beside this project. */
import { bound } from "../scale/bound.ts";
import { leases, runs, waiters } from "../scale/crowds.ts";
import { expiry } from "../scale/expiry.ts";
import { imports } from "../scale/imports.ts";
import { joint } from "../scale/joint.ts";
import { kinds } from "../scale/kinds.ts";
import { names } from "../scale/names.ts";
import type { Part } from "../scale/part.ts";
import { postgresLists } from "../scale/postgres.ts";
import { longKeys } from "../scale/redis.ts";
import { sizes } from "../scale/sizes.ts";
import { sqliteLists } from "../scale/sqlite.ts";
import type { Group, Order, Outcome, SelectiveSuite } from "./suite.ts";

/** What is measured, one after the other. */
const PARTS: readonly Part[] = [
  bound,
  leases,
  waiters,
  runs,
  expiry,
  kinds,
  joint,
  names,
  longKeys,
  postgresLists,
  sqliteLists,
  sizes,
  imports,
];

export const scale: SelectiveSuite = async ({ only, progress }: Order): Promise<Outcome> => {
  const groups: Group[] = [];
  for (const part of only.of(PARTS, ({ name }) => name)) {
    groups.push(...(await part.measure(progress)));
  }
  return { groups };
};
