/** A run in which everything goes wrong at random: what it admits, and by how much that is over. */
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Ask, Budget, Command, Decision, Plan } from "../../../src/limits/core/index.ts";
import { seededRandom } from "../../../src/testing/index.ts";
import { KEY, type Metered, NAMES, type Process, Scene, type Version } from "./scene.ts";

/** How many things happen in a run. */
const LENGTH = 40;
const OTHER = planFor("other", { kind: "token bucket", rate: 20, period: 1000, capacity: 12 });

/** What happens, to one process or to all. */
const STEPS: { readonly [name: string]: (scene: Scene, process: Process) => unknown } = {
  ask: (scene, process) => ask(scene, process, scene.pick(0, 12)),
  burst: (scene, process) => useUp(scene, process),
  together: askTogether,
  drain: useUpAll,
  holdOut: ({ world, hold, random }) => world.run(world.now + Math.floor(1.3 * hold * random())),
  cut: (scene) => cut(scene, scene.one(NAMES)),
  check: (_, { store, version: { plan } }) =>
    store.execute({ verb: "check", budgets: [asked(plan, 3)] }),
  block: (_, { store, version: { plan } }) =>
    send(store, { verb: "block", budgets: [of(plan)], ms: 200 }),
  reset: (_, { store, version: { plan } }) => send(store, { verb: "reset", budgets: [of(plan)] }),
  crash: (scene, process) => scene.replace(process),
  deploy: (scene, process) => scene.replace(process, scene.versions.at(-1)),
  reload: (scene, process) => scene.reload(process, scene.versions.at(-1) as Version),
  stop(scene, process) {
    process.store.lending.giveBack();
    scene.replace(process);
  },
  suspend: (scene, process) => suspend(scene, process),
  sleep(scene, { sleep }) {
    suspend(scene, { sleep });
    sleep.missed += sleep.until - scene.world.now;
  },
};

/** Those that happen most are here most often. */
const OFTEN = ["ask", "burst", "burst", "burst", "burst", "holdOut"];
const NAMED = [...Object.keys(STEPS), ...Array(7).fill(OFTEN).flat()];

export type PlayOptions = {
  readonly seed: number;
  readonly kind: Metered;
  /** Whether the clocks of regions differ. Default: for token buckets, which don't care. */
  readonly areApart?: boolean;
};

/** Plays a run; the same seed, the same run. */
export async function play({ seed, kind, areApart = kind === "token bucket" }: PlayOptions) {
  const scene = new Scene({ random: seededRandom(seed), kind, areApart });
  for (let step = 0; step < LENGTH; step++) {
    const process = scene.random() < 0.6 ? scene.busy : scene.one(scene.processes);
    const name = scene.one(NAMED);
    if (scene.isAwake(process)) await STEPS[name]?.(scene, process);
    await scene.world.run(scene.world.now + scene.pick(0, 80));
  }
  await useUpAll(scene);
  return scene.seen;
}

const of = (plan: Plan): Budget => ({ plan, key: KEY });
const asked = (plan: Plan, count: number): Ask => ({ ...of(plan), count, reserve: false });

async function ask(scene: Scene, process: Process, count: number): Promise<Decision> {
  const decision = await process.store.limit(asked(process.version.plan, count));
  if (decision.ok) scene.admit(process, count);
  return decision;
}

async function askTogether(scene: Scene, process: Process): Promise<void> {
  const count = scene.pick(1, 6);
  const budgets = [asked(process.version.plan, count), asked(OTHER, 1)] as const;
  const decisions = await process.store.execute({ verb: "limit", budgets });
  if (decisions.every(({ ok }) => ok)) scene.admit(process, count);
}

/** All that is there for a process, near and held, to the unit. */
async function useUp(scene: Scene, process: Process): Promise<void> {
  let count = Math.ceil(process.version.plan.capacity / 4);
  while (count > 0) {
    const { ok, remaining } = await ask(scene, process, count);
    // What is said to remain saves asks, and is not relied on: one unit is asked for until it is refused.
    if (!ok) count = Math.min(Math.floor(count / 2), Math.max(1, remaining));
  }
}

/** In all regions at one instant: where there is too much, too much is admitted. */
async function useUpAll(scene: Scene): Promise<void> {
  for (const process of scene.processes) {
    if (scene.isAwake(process)) await useUp(scene, process);
  }
}

function cut({ world, hold, pick }: Scene, region: string): void {
  world.cut.add(region);
  world.at(world.now + pick(10, hold), () => world.cut.delete(region));
}

function suspend({ world, hold, pick }: Scene, { sleep }: Pick<Process, "sleep">): void {
  sleep.until = world.now + pick(10, hold);
}

/** Regions that can't be reached are of no interest here. */
function send(store: Process["store"], command: Command): void {
  store.execute(command).catch((error) => {
    if (error.code !== "unavailable") throw error;
  });
}
