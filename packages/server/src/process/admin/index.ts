/** Administration listeners, their tokens, and the audit log's file. */
export { type AdminParts, localTarget } from "./local-target.ts";
export { type AdminListeners, hasAdmin, NO_ADMIN, serveAdmin } from "./serve-admin.ts";
export { type RotatedTokens, rotatedTokens } from "./token-files.ts";
