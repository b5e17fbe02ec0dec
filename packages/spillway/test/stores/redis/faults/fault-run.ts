import type { Store } from "../../../../src/core/index.ts";
import { redisStore } from "../../../../src/stores/redis/index.ts";
import { until } from "../../../servers/until.ts";
import { Books } from "./books.ts";
import { ClientProcesses } from "./clients/client-processes.ts";
import { openClient } from "./clients/connections.ts";
import type { Assignment, Phase, Target } from "./clients/protocol.ts";
import { askings, type Fault, KEY, LIMITS, MAKES, PATIENT, type Scene } from "./fault.ts";
import { Outcome } from "./outcome.ts";

/** Lets processes ask all the time, strikes, waits until all have felt it, ends it, and sees them heal. */
export async function runFault(fault: Fault): Promise<Outcome> {
  await using used = new AsyncDisposableStack();
  const scene = await fault.stage(used);
  const processes = used.use(await ClientProcesses.start(assignments(fault, scene)));
  const direct = scene.direct ?? scene.target;
  const books = await withStore(direct, (store) => Books.open(store, LIMITS, KEY));
  await processes.ask();
  await every(processes, { phase: "before", holds: isUsedUp, what: "all is used up" });
  await processes.enter("during");
  await strike(fault, scene, processes);
  await processes.enter("after");
  await every(processes, { phase: "after", holds: isUsedUp, what: "all is healed and used up" });
  const reports = await processes.stop();
  const spans = await withStore(direct, (store) => books.close(store));
  return new Outcome(fault, reports, spans);
}

async function strike(fault: Fault, scene: Scene, processes: ClientProcesses): Promise<void> {
  await scene.strike();
  const again = scene.again === undefined ? {} : { again: scene.again };
  const { felt: holds, name } = fault;
  await every(processes, { phase: "during", holds, what: `all have felt "${name}"`, ...again });
  await scene.end?.();
}

/** Whether a process has had answers to all it asks, and refusals where books are kept. */
function isUsedUp({ answered, tallies }: Phase): boolean {
  if (answered === undefined) return false;
  return tallies.every(({ asking, refused: { limited = 0 }, told }) => {
    return asking.key !== KEY || limited > 0 || told > 0;
  });
}

type Watch = {
  readonly phase: string;
  readonly holds: (phase: Phase) => boolean;
  readonly what: string;
  /** Is done before each look. */
  readonly again?: Scene["again"];
};

/** Waits until it holds for every process; where it never does, tells what they counted instead. */
async function every(processes: ClientProcesses, watch: Watch): Promise<void> {
  let phases: readonly Phase[] = [];
  const look = async () => {
    await watch.again?.();
    phases = await processes.phases(watch.phase);
    return phases.every(watch.holds);
  };
  try {
    await until(look, watch);
  } catch (cause) {
    throw new Error(`${cause} Counted were ${JSON.stringify(phases)}.`, { cause });
  }
}

function assignments(fault: Fault, { target }: Scene): Assignment[] {
  const { makes = MAKES, whenUnavailable = "closed", deadline } = fault;
  return makes.map((make, process) => ({
    make,
    target,
    limits: LIMITS,
    whenUnavailable,
    askings: (fault.askings ?? askings)(process),
    instances: makes.length,
    skew: 0,
    ...(deadline !== undefined && { deadline }),
  }));
}

async function withStore<T>(
  target: Target,
  use: (store: Store<"later">) => Promise<T>,
): Promise<T> {
  const { client, close } = await openClient(target, "ioredis");
  try {
    return await use(redisStore(client, { deadline: PATIENT }));
  } finally {
    close();
  }
}
