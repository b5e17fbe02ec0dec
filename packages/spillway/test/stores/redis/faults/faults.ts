import { ACCESS_FAULTS, READ_ONLY } from "./access-faults.ts";
import type { RedisFault } from "./fault.ts";
import { FOREIGN_KEYS } from "./foreign-keys.ts";
import { GROUP_FAULTS } from "./group-faults.ts";
import { MOVING_FAULTS } from "./moving-faults.ts";
import { REDIS_NETWORK_FAULTS } from "./network-faults.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

/** All of them. */
export const FAULTS: readonly RedisFault[] = [
  ...SERVER_FAULTS,
  ...REDIS_NETWORK_FAULTS,
  ...GROUP_FAULTS,
  ...MOVING_FAULTS,
  ...ACCESS_FAULTS,
  READ_ONLY,
  FOREIGN_KEYS,
];
