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
  settle: 5000,
  measured: 10_000,
};

export const shedding: Suite = (progress) => compare(names, { plan: PLAN, progress });

/** How it is run, and whom to tell. */
type Run = { readonly plan: Plan; readonly progress: Progress };

/** What was seen of a contender at each of the loads. */
type Seen = { readonly name: string; readonly loads: readonly Observation[] };

/** The groups of some contenders, the first of whom is what the others are compared with. */
export async function compare(
  contenders: readonly string[],
  { plan, progress }: Run,
): Promise<readonly Group[]> {
  const effort = { steps: calibrate(plan.cost), turns: plan.turns };
  const capacity = await capacityOf(effort, plan);
  progress(`capacity: ${capacity.toFixed(1)} requests a second, of ${effort.steps} steps each`);
  const setting = { plan, effort, capacity };
  const seen: Seen[] = [];
  for (const name of contenders) seen.push(await tryOut(name, { ...setting, progress }));
  const after = await capacityOf(effort, plan);
  return [capacities({ before: capacity, after }), ...groupsOf(seen, setting)];
}

async function tryOut(name: string, setting: Setting & { progress: Progress }): Promise<Seen> {
  const loads = await trial(name, setting);
  for (const [index, seen] of loads.entries()) {
    const load = setting.plan.loads[index];
    setting.progress(`${name} at ${load}×: ${describe(seen, setting.capacity)}`);
  }
  return { name, loads };
}

/** The two differ by how much the machine's speed has changed meanwhile. */
function capacities({ before, after }: { readonly before: number; readonly after: number }): Group {
  const unit = "requests a second";
  const rows = [
    { name: "capacity", value: Number(before.toFixed(1)), unit },
    { name: "capacity afterwards", value: Number(after.toFixed(1)), unit },
  ];
  return { title: "What the server can do", rows };
}

function groupsOf(all: readonly Seen[], { plan, capacity }: Setting): readonly Group[] {
  return plan.loads.flatMap((load, index) =>
    FIGURES.map(({ name: figure, unit, of }) => ({
      title: `${load}× of what the server can do: ${figure}`,
      rows: all.map(({ name, loads }) => ({
        name: `${name}, ${figure} at ${load}×`,
        value: of(loads[index] as Observation, capacity),
        unit,
      })),
    })),
  );
}
