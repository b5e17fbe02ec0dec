/** The commands of administrators. A further one is a file here, and a line below. */
import type { AdminCommand } from "./admin-command.ts";
import { audit } from "./audit.ts";
import { block } from "./block.ts";
import { get } from "./get.ts";
import { mode } from "./mode.ts";
import { endOverride, override } from "./override.ts";
import { reset } from "./reset.ts";
import { topKeys } from "./top-keys.ts";
import { unblock } from "./unblock.ts";

export type { AdminCommand, AdminOptions } from "./admin-command.ts";
export { callOptions } from "./admin-options.ts";

export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  get,
  reset,
  block,
  unblock,
  override,
  endOverride,
  mode,
  topKeys,
  audit,
];
