/** An HTTP server that gets more than it can do: what it still serves, to whom, and how soon. */
import { names } from "../shedding/contenders/index.ts";
import { describe, FIGURES } from "../shedding/figures.ts";
import type { Observation } from "../shedding/tally.ts";
import { capacityOf, type Plan, type Setting, trial } from "../shedding/trial.ts";
import { calibrate } from "../shedding/work.ts";
import type { Group, Progress, Suite } from "./suite.ts";

const PLAN: Plan = {
  cost: 5,
  turns: 1,
  loads: [0.7, 2, 5],
  warmUp: 4000,
  settle: 3000,
  measured: 8000,
};

export const shedding: Suite = (progress) => compare(names, { plan: PLAN, progress });

/** How it is run, and whom to tell. */
type Run = { readonly plan: Plan; readonly progress: Progress };

/** What was seen of a contender at each of the loads, and what the server could do around it. */
type Seen = {
  readonly name: string;
  readonly capacity: number;
  readonly loads: readonly Observation[];
};

/** The groups of some contenders, the first of whom is what the others are compared with. */
export async function compare(
  contenders: readonly string[],
  { plan, progress }: Run,
): Promise<readonly Group[]> {
  const effort = { steps: calibrate(plan.cost), turns: plan.turns };
  const seen: Seen[] = [];
  for (const name of contenders) seen.push(await tryOut(name, { plan, effort, progress }));
  return [capacities(seen), ...groupsOf(seen, plan)];
}

/** What the machine can do changes with its neighbours: it is measured before and after each. */
async function tryOut(name: string, { progress, ...setting }: Trying): Promise<Seen> {
  const { plan, effort } = setting;
  const before = await capacityOf(effort, plan);
  progress(`before ${name}: ${before.toFixed(1)} requests a second, of ${effort.steps} steps each`);
  const loads = await trial(name, { ...setting, capacity: before });
  const after = await capacityOf(effort, plan);
  const capacity = (before + after) / 2;
  for (const [index, seen] of loads.entries()) {
    progress(`${name} at ${plan.loads[index]}×: ${describe(seen, capacity)}`);
  }
  progress(`after ${name}: ${after.toFixed(1)} requests a second`);
  return { name, capacity, loads };
}

type Trying = Omit<Setting, "capacity"> & { readonly progress: Progress };

function capacities(all: readonly Seen[]): Group {
  const rows = all.map(({ name, capacity }) => ({
    name: `capacity around ${name}`,
    value: Number(capacity.toFixed(1)),
    unit: "requests a second",
  }));
  return { title: "What the server can do", rows };
}

function groupsOf(all: readonly Seen[], plan: Plan): readonly Group[] {
  return plan.loads.flatMap((load, index) =>
    FIGURES.map(({ name: figure, unit, of }) => ({
      title: `${load}× of what the server can do: ${figure}`,
      rows: all.map(({ name, capacity, loads }) => ({
        name: `${name}, ${figure} at ${load}×`,
        value: of(loads[index] as Observation, capacity),
        unit,
      })),
    })),
  );
}
