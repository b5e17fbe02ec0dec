/** Decisions of processes that share one Redis server: how many, what they cost it, and whether the limit holds. */
import { CONTENDERS } from "../shares/contenders.ts";
import { AMPLE, PROCESSES, TRAFFICS, type Traffic } from "../shares/setting.ts";
import { type Figures, measure } from "../shares/trial.ts";
import type { Group, Progress, SelectiveSuite } from "./suite.ts";

/** One traffic from so many processes. */
type Part = { readonly name: string; readonly traffic: Traffic; readonly processes: number };

const PARTS: readonly Part[] = TRAFFICS.flatMap((traffic) =>
  PROCESSES.map((processes) => ({
    name: `${traffic.name}, ${processes} ${processes === 1 ? "process" : "processes"}`,
    traffic,
    processes,
  })),
);

const DECISIONS = {
  figure: "decisions",
  title: "all are admitted",
  unit: "decisions a second",
} as const;
const CALLS = { figure: "calls", title: "all are admitted", unit: "calls per 100" } as const;
const COST = { figure: "cost", title: "all are admitted", unit: "server µs a decision" } as const;
const SCARCE_CALLS = { figure: "calls", title: "most are refused", unit: "calls per 100" } as const;
const OVER = { figure: "over", title: "most are refused", unit: "units over" } as const;
const IDEAL = { figure: "ideal", title: "most are refused", unit: "% of the ideal" } as const;

export const shares: SelectiveSuite = async ({ progress, only }) => {
  const groups: Group[] = [];
  for (const part of only.of(PARTS, ({ name }) => name))
    groups.push(...(await run(part, progress)));
  return { groups };
};

async function run(part: Part, progress: Progress): Promise<readonly Group[]> {
  const ample = new Map<string, Figures>();
  const scarce = new Map<string, Figures>();
  for (const contender of Object.keys(CONTENDERS)) {
    const trial = { contender, traffic: part.traffic.name, processes: part.processes };
    ample.set(contender, await measure({ ...trial, pace: AMPLE }));
    scarce.set(contender, await measure({ ...trial, pace: part.traffic.scarce }));
    progress(
      `${part.name}, ${contender}: ${said(ample.get(contender))}; ${said(scarce.get(contender))}`,
    );
  }
  return [
    ...[DECISIONS, CALLS, COST].map((column) => groupOf(part, ample, column)),
    ...[SCARCE_CALLS, OVER, IDEAL].map((column) => groupOf(part, scarce, column)),
  ];
}

function said(figures: Figures | undefined): string {
  return Object.entries(figures ?? {})
    .map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`)
    .join(", ");
}

type Column = { readonly figure: keyof Figures; readonly title: string; readonly unit: string };

function groupOf(
  { name }: Part,
  all: ReadonlyMap<string, Figures>,
  { figure, title, unit }: Column,
): Group {
  const rows = [...all].map(([contender, figures]) => {
    return { name: `${contender} ${name}`, value: Number(figures[figure].toFixed(2)), unit };
  });
  return { title: `${name}, ${title}: ${unit}`, rows };
}
