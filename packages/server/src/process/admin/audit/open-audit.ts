/** Opens the audit log: in the file that is named, else in the store that services share. */
import { hostname } from "node:os";
import { systemClock } from "spillway/core";
import { type AuditLog, memoryAudit } from "../../../service/index.ts";
import type { ServeOptions } from "../../options/index.ts";
import { openEntries } from "../../stores/index.ts";
import { auditFile } from "./audit-file.ts";
import { storedAudit } from "./stored-audit.ts";

export type AuditOptions = Pick<ServeOptions, "auditFile" | "store" | "schema" | "sentinels">;

/**
 * Opens it. While a store is unreachable, nothing can be changed.
 *
 * @throws CommandError `unwritable-path`, `bad-store`
 */
export async function openAudit(options: AuditOptions): Promise<AuditLog> {
  const { auditFile: path, store } = options;
  const clock = systemClock;
  if (path !== undefined) return auditFile({ path, clock });
  if (store === "memory") return memoryAudit(clock);
  const service = `${hostname()}/${process.pid}`;
  return storedAudit(await openEntries(store, options), { clock, service });
}
