import type { Store } from "../../../src/limits/core/index.ts";
import { until } from "../../servers/until.ts";
import { Books } from "./books.ts";
import { ClientProcesses } from "./clients/client-processes.ts";
import type { Opened } from "./clients/opened.ts";
import type { Assignment, Phase } from "./clients/protocol.ts";
import { askings, type Fault, KEY, LIMITS, PATIENT, type Scene, type Subject } from "./fault.ts";
import { Outcome } from "./outcome.ts";

/** Lets processes ask all the time, strikes, waits until all have felt it, ends it, and sees them heal. */
export async function runFault<Client>(
  fault: Fault<Client>,
  { open, program }: Subject<Client>,
): Promise<Outcome> {
  await using used = new AsyncDisposableStack();
  const scene = await fault.stage(used);
  const processes = used.use(await ClientProcesses.start(program, assignments(fault, scene)));
  const books = await withStore(open(scene.direct), (store) => Books.open(store, LIMITS, KEY));
  await processes.ask();
  await every(processes, { phase: "before", holds: isUsedUp, what: "all is used up" });
  await processes.enter("during");
  await strike(fault, scene, processes);
  await processes.enter("after");
  await every(processes, { phase: "after", holds: isUsedUp, what: "all is healed and used up" });
  await scene.healed?.();
  const reports = await processes.stop();
  const spans = await withStore(open(scene.direct), (store) => books.close(store));
  return new Outcome(fault, reports, spans);
}

async function strike(
  fault: Fault,
  scene: Scene<unknown>,
  processes: ClientProcesses,
): Promise<void> {
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
  readonly again?: Scene<unknown>["again"];
};

/** Waits until it holds for every process; where it never does, tells what they counted instead. */
export async function every(processes: ClientProcesses, watch: Watch): Promise<void> {
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

function assignments(fault: Fault, { clients }: Scene<unknown>): Assignment[] {
  const { whenUnavailable = "closed", deadline } = fault;
  return clients.map((client, process) => ({
    client,
    limits: LIMITS,
    whenUnavailable,
    askings: (fault.askings ?? askings)(process),
    instances: clients.length,
    skew: 0,
    ...(deadline !== undefined && { deadline }),
  }));
}

export async function withStore<T>(
  opening: Promise<Opened>,
  use: (store: Store<"later">) => Promise<T>,
): Promise<T> {
  const opened = await opening;
  try {
    const store = opened.store({ deadline: PATIENT });
    await opened.connect();
    return await use(store);
  } finally {
    await opened.close();
  }
}
