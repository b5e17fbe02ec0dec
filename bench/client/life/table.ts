/** How situations are shown: a line for each with its three clients, and groups for `--json`. Pure. */
import type { Group } from "../../suites/suite.ts";
import type { Shares, Situation } from "./situation.ts";

export type Trials = ReadonlyMap<Situation, ReadonlyMap<string, Shares>>;

/** What is counted in times of something; all else is in percent. */
const TIMES: { readonly [what: string]: string } = {
  p50: "× the server's time",
  "bad route": "a second",
  "while it hangs": "a second",
};

const unitOf = (what: string) => TIMES[what] ?? "%";

export function lines(trials: Trials): string {
  const heads = ["situation", "spillway", "bare `fetch`", "best peer"];
  const rows = [...trials].map(([{ name, peer }, shares]) => {
    const cells = [...shares].map(([kind, one]) => (kind === peer ? `${peer}: ` : "") + text(one));
    return [name, ...cells];
  });
  return [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** All that is measured of one client. */
export function text(shares: Shares): string {
  return Object.entries(shares)
    .map(([what, value]) => `${what} ${value.toFixed(1)} ${unitOf(what)}`)
    .join(", ");
}

export function groups(trials: Trials): readonly Group[] {
  return [...trials].flatMap(([{ name }, shares]) =>
    Object.keys([...shares.values()][0] ?? {}).map((what) => ({
      title: `${name}: ${what}`,
      rows: [...shares].map(([kind, one]) => ({
        name: `${name}: ${kind}, ${what}`,
        value: Math.round((one[what] ?? Number.NaN) * 100) / 100,
        unit: unitOf(what),
      })),
    })),
  );
}
