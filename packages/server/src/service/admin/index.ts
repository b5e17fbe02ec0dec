/** The operations of administrators, over any transport. */
export { Administration, type RefusedTry } from "./administration.ts";
export {
  type AuditDraft,
  type AuditEntry,
  AuditError,
  type AuditLog,
  MOST_ENTRIES,
} from "./audit.ts";
export { ADMIN_PATH, NAME_HEADER } from "./call-names.ts";
export { CHANGES, type ChangeName } from "./changes/index.ts";
export type {
  AdminTarget,
  BudgetCall,
  BudgetReport,
  ChangeBody,
  KeyCount,
  KeyCounts,
  TopKeysReport,
} from "./contracts.ts";
export type { DirectCall, NoteDirect } from "./direct-calls.ts";
export { executeCall } from "./execute-call.ts";
export { KeyDigests } from "./key-digests.ts";
export { memoryAudit, RecentAudit, recentLog } from "./memory-audit.ts";
