/** Every change that administrators can make. A further one is a file here, and a line below. */
import { block } from "./block.ts";
import { mode } from "./mode.ts";
import { endOverride, override } from "./override.ts";
import { reset } from "./reset.ts";
import { unblock } from "./unblock.ts";

export const CHANGES = {
  reset,
  block,
  unblock,
  override,
  "end-override": endOverride,
  mode,
} as const;

/** The name of a change. */
export type ChangeName = keyof typeof CHANGES;
