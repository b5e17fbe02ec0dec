/** From what was seen to rows. Pure. */
import type { Medians } from "../run.ts";
import type { Group } from "../suites/suite.ts";
import type { Seen } from "./h2load.ts";

const COLUMNS = {
  speed: { suffix: "", unit: "requests a second" },
  p50: { suffix: " p50", unit: "µs" },
  p99: { suffix: " p99", unit: "µs" },
} as const;

/** One figure of all contenders; ` p50` and ` p99` stand behind their names. */
export function groupOf(title: string, medians: Medians<Seen>, figure: keyof Seen): Group {
  const { suffix, unit } = COLUMNS[figure];
  const rows = [...medians].map(([name, seen]) => ({
    name: name + suffix,
    value: Math.round(seen[figure]),
    unit,
  }));
  return { title, rows };
}
