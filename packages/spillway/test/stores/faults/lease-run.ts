/** Leases while something goes wrong: what is in flight, and when all capacity is back. */
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Store } from "../../../src/limits/core/index.ts";
import { until } from "../../servers/until.ts";
import { type Flight as LeaseRef, mostInFlight } from "../leases/holders.ts";
import { ClientProcesses } from "./clients/client-processes.ts";
import type { Asking, Assignment, Phase, Report } from "./clients/protocol.ts";
import { asking, degradedIn, type Fault, KEY, type Scene, type Subject } from "./fault.ts";
import { every, withStore } from "./fault-run.ts";

const LEASES = "leases";

const capacity = 10;

/**
 * Leases last far longer than a test: what is not given back is missing in the end. Not so where a replica takes over
 * from a server that is gone: a release of which that one alone knew is lost with it, and its lease ends by its ttl.
 */
function limitsFor({ bound }: Fault) {
  const ttl = bound === "exact" ? "1h" : "30s";
  return { [LEASES]: { kind: "concurrency", capacity, ttl } } as const;
}

/** Keys of which each ask takes both: in a cluster they are kept in different places. */
const BOTH = ["a", "b"] as const;
const KEYS = [KEY, ...BOTH];

/** Of each key, more is wanted than there is. */
const ASKINGS: readonly Asking[] = [
  asking({ limit: LEASES, operation: "acquire", inFlight: 8 }),
  asking({ limit: LEASES, operation: "acquire", key: BOTH[0], alsoKey: BOTH[1], inFlight: 8 }),
];

/** What came of leases in a fault. */
export type LeaseOutcome = {
  readonly fault: Fault;
  readonly capacity: number;
  readonly reports: readonly Report[];
  /** Answers that callers got without the store while it lasted. */
  readonly degraded: number;
  readonly asked: number;
  /** Milliseconds from the fault's end until all capacity was free. */
  readonly back: number;
  /** The most that was in flight at once, of any key. */
  readonly most: number;
};

/** Halts a server for so long. */
export function halted<Client>(
  ms: number,
  stage: (
    used: AsyncDisposableStack,
  ) => Promise<
    Pick<Scene<Client>, "clients" | "direct"> & { readonly halt: (ms: number) => Promise<void> }
  >,
): Fault<Client> {
  return {
    name: `halted for ${ms} ms`,
    bound: "exact",
    felt: () => true,
    outage: false,
    failed: "perhaps charged",
    stage: async (used) => {
      const { halt, ...clients } = await stage(used);
      return { ...clients, strike: () => halt(ms) };
    },
  };
}

/** Lets processes hold leases all the time, strikes, ends it, lets them rest, and waits for capacity. */
export async function runLeases<Client>(
  fault: Fault<Client>,
  { open, program }: Subject<Client>,
): Promise<LeaseOutcome> {
  await using used = new AsyncDisposableStack();
  const scene = await fault.stage(used);
  const processes = used.use(await ClientProcesses.start(program, assignments(fault, scene)));
  await processes.ask();
  await every(processes, { phase: "before", holds: isFull, what: "all is in flight" });
  await processes.enter("during");
  await scene.strike();
  const again = scene.again === undefined ? {} : { again: scene.again };
  await every(processes, {
    phase: "during",
    holds: fault.felt,
    what: "all have felt it",
    ...again,
  });
  await scene.end?.();
  const ended = performance.now();
  await processes.rest();
  await withStore(open(scene.direct), (store) => allBack(fault, store));
  const back = performance.now() - ended;
  return outcome(fault, await processes.stop(), back);
}

async function allBack(fault: Fault, store: Store<"later">): Promise<void> {
  const plan = planFor(LEASES, limitsFor(fault)[LEASES]);
  for (const key of KEYS) {
    await until(
      async () =>
        (await store.execute({ verb: "value", budgets: [{ plan, key }] })).remaining === capacity,
      {
        what: `all leases of ${key} are back`,
      },
    );
  }
}

function outcome(fault: Fault, reports: readonly Report[], back: number): LeaseOutcome {
  const during = reports.flatMap(({ phases }) => phases.during ?? []);
  const sum = (count: (phase: Phase) => number) =>
    during.reduce((all, phase) => all + count(phase), 0);
  const asked = sum(({ tallies }) => tallies.reduce((all, tally) => all + tally.asked, 0));
  const most = Math.max(...KEYS.map((key) => mostInFlight(flightsOf(reports, key))));
  return { fault, capacity, reports, degraded: sum(degradedIn), asked, back, most };
}

function flightsOf(reports: readonly Report[], key: string): LeaseRef[] {
  const phases = reports.flatMap(({ phases }) => Object.values(phases));
  const tallies = phases.flatMap(({ tallies }) => tallies);
  const flights = tallies
    .filter(({ asking }) => asking.key === key || asking.alsoKey === key)
    .flatMap(({ flights }) => flights);
  return flights.map(([from, to]) => ({ from: BigInt(from), to: BigInt(to), count: 1 }));
}

/** Whether all capacity was in flight, so that somebody was refused. */
function isFull({ tallies }: Phase): boolean {
  return tallies.every(({ refused: { limited = 0 } }) => limited > 0);
}

function assignments(fault: Fault, { clients }: Scene<unknown>): Assignment[] {
  const { deadline } = fault;
  return clients.map((client) => ({
    client,
    limits: limitsFor(fault),
    whenUnavailable: "closed",
    askings: ASKINGS,
    instances: clients.length,
    skew: 0,
    ...(deadline !== undefined && { deadline }),
  }));
}
