/** How cost grows with the work of one call. Each group has a control, or a peer, beside this project. */
import { jointAsks } from "../scale/joint.ts";
import { longKeys } from "../scale/redis.ts";
import type { Group, Progress, Suite } from "./suite.ts";

/** What is measured, one after the other. */
const PARTS: readonly ((progress: Progress) => Promise<Group>)[] = [
  (progress) => jointAsks(2, progress),
  (progress) => jointAsks(5, progress),
  longKeys,
];

export const scale: Suite = async (progress) => {
  const groups: Group[] = [];
  for (const part of PARTS) groups.push(await part(progress));
  return groups;
};
