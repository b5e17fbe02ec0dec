import { sqlState } from "../../../../src/stores/postgres/clients/sql-state.ts";

/** Whether a transaction lost to another one, so that it is to be tried anew. */
export function isLost(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlState(error) ?? "");
}
