import { ACCESS_FAULTS, READ_ONLY } from "./access-faults.ts";
import type { Fault } from "./fault.ts";
import { FOREIGN_KEYS } from "./foreign-keys.ts";
import { GROUP_FAULTS } from "./group-faults.ts";
import { NETWORK_FAULTS } from "./network-faults.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

/** All of them. */
export const FAULTS: readonly Fault[] = [
  ...SERVER_FAULTS,
  ...NETWORK_FAULTS,
  ...GROUP_FAULTS,
  ...ACCESS_FAULTS,
  READ_ONLY,
  FOREIGN_KEYS,
];
