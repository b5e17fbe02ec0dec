import { ACCESS_FAULTS, READ_ONLY } from "./access-faults.ts";
import type { PostgresFault } from "./fault.ts";
import { LOCKED_ROW, LOCKED_ROW_AMONG_OTHERS } from "./locked-row.ts";
import { POSTGRES_NETWORK_FAULTS } from "./network-faults.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

/** All that are done to processes. */
export const FAULTS: readonly PostgresFault[] = [
  ...SERVER_FAULTS,
  ...POSTGRES_NETWORK_FAULTS,
  ...ACCESS_FAULTS,
  READ_ONLY,
  LOCKED_ROW,
  LOCKED_ROW_AMONG_OTHERS,
];
