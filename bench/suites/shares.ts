/** Decisions of processes that share one Redis server: how many, what they cost it, and whether the limit holds. */
import { type Column, groupOf } from "../rows.ts";
import { interleave, type Rounds } from "../run.ts";
import { CONTENDERS } from "../shares/contenders.ts";
import { AMPLE, type Pace, PROCESSES, TRAFFICS, type Traffic } from "../shares/setting.ts";
import { type Figures, measure } from "../shares/trial.ts";
import type { Group, Progress, SelectiveSuite } from "./suite.ts";

/** A trial takes two to three seconds, and warms up itself. */
const ROUNDS = 3;

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
  const ample = await rounds(part, { pace: AMPLE, what: "all are admitted", progress });
  const pace = part.traffic.scarce;
  const scarce = await rounds(part, { pace, what: "most are refused", progress });
  return [
    ...[DECISIONS, CALLS, COST].map((column) => groupIn(part, ample, column)),
    ...[SCARCE_CALLS, OVER, IDEAL].map((column) => groupIn(part, scarce, column)),
  ];
}

type Run = { readonly pace: Pace; readonly what: string; readonly progress: Progress };

/** Every contender in turn, each on a server of its own. */
function rounds(
  { name, traffic, processes }: Part,
  { pace, what, progress }: Run,
): Promise<Rounds<Figures>> {
  const contestants = Object.keys(CONTENDERS).map((contender) => ({
    name: contender,
    measure: () => measure({ contender, traffic: traffic.name, processes, pace }),
  }));
  const title = `${name}, ${what}: decisions a second / calls per 100 / server µs / over / % of the ideal`;
  return interleave(contestants, { title, rounds: ROUNDS, progress, warmsUp: false });
}

type Titled = Column<Figures> & { readonly title: string };

function groupIn({ name }: Part, all: Rounds<Figures>, { title, ...column }: Titled): Group {
  const whole = { ...column, suffix: ` ${name}` };
  return groupOf(`${name}, ${title}: ${column.unit}`, all, whole);
}
