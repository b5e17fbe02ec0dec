/** The behaviour table. */
import type { Row } from "../row.ts";
import { addresses } from "./addresses.ts";
import { basics } from "./basics.ts";
import { failures } from "./failures.ts";
import { settling } from "./settling.ts";
import { several } from "./several.ts";
import { shedding } from "./shedding.ts";
import { wire } from "./wire.ts";

export const rows: readonly Row[] = [
  ...basics,
  ...several,
  ...settling,
  ...shedding,
  ...failures,
  ...wire,
  ...addresses,
];
