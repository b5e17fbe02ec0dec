import type { Limits } from "../../../../src/core/index.ts";
import { redisStore } from "../../../../src/stores/redis/index.ts";
import { startRedis } from "../../../servers/redis-node.ts";
import { until } from "../../../servers/until.ts";
import { Books, type Span } from "./books.ts";
import { ClientProcesses } from "./clients/client-processes.ts";
import { openClient } from "./clients/connections.ts";
import type { Admission, Assignment, Report, Tally } from "./clients/protocol.ts";
import { ALONE, countedLimits, SHORT_LIMITS } from "./exact-limits.ts";

const KEY = "everybody";
const MAKES = ["ioredis", "ioredis", "node-redis", "valkey-glide"] as const;
/** Milliseconds by which the clock of each is wrong. */
const SKEWS = [0, 3_600_000, -3_600_000, 90_000];
/** Asks that each process has in flight, on each limit. */
const IN_FLIGHT = 64;
/** Milliseconds: no answer is too late here, however busy the machine. */
const DEADLINE = 30_000;
/** Those of which each admission is told. */
const RECORDED = ["leaky bucket", ...Object.keys(SHORT_LIMITS)];

/** What came of many processes asking for all that they can get. */
export class ExactRun {
  readonly #spans: ReadonlyMap<string, Span>;
  readonly reports: readonly Report[];

  constructor(spans: ReadonlyMap<string, Span>, reports: readonly Report[]) {
    this.#spans = spans;
    this.reports = reports;
  }

  /** The names of the counted limits. */
  get counted(): string[] {
    return [...this.#spans.keys()];
  }

  /** What the store says of a counted limit. */
  span(name: string): Span {
    const span = this.#spans.get(name);
    if (span === undefined) throw new Error(`${name} was not counted`);
    return span;
  }

  /** What the callers of each process got from a limit. */
  tallies(name: string): Tally[] {
    const all = this.reports.flatMap(({ phases }) => phases.before?.tallies ?? []);
    return all.filter(({ asking }) => asking.limit === name);
  }

  /** Units that callers were told they may have. */
  admitted(name: string): number {
    return this.tallies(name).reduce((sum, { admitted }) => sum + admitted, 0);
  }

  /** Every admission of a recorded limit, in the order of time. */
  admissions(name: string): Admission[] {
    const all = this.tallies(name).flatMap(({ admissions }) => admissions);
    return all.sort(([one], [other]) => one - other);
  }
}

/** Lets four processes ask for all limits at once, for so many milliseconds of the server's clock. */
export async function runExactly(ms: number): Promise<ExactRun> {
  await using node = await startRedis();
  const counted = countedLimits(Date.now());
  const limits = { ...counted, ...SHORT_LIMITS };
  using processes = await ClientProcesses.start(assignments(node.port, limits));
  const { client, close } = await openClient({ sort: "server", port: node.port }, "ioredis");
  const store = redisStore(client, { deadline: DEADLINE });
  const books = await Books.open(store, counted, KEY);
  const end = Date.now() + ms;
  await processes.ask();
  await until(() => Date.now() >= end, { what: "the load has lasted" });
  const reports = await processes.stop();
  const spans = await books.close(store);
  close();
  return new ExactRun(spans, reports);
}

function assignments(port: number, limits: Limits): Assignment[] {
  const askings = Object.keys(limits).map((limit) => {
    const asking = { limit, key: KEY, operation: "limit", pause: 0, store: 0 } as const;
    const recorded = RECORDED.includes(limit);
    // A request holds at least twice as many: each of them looks at the clock as well.
    if (recorded) return { ...asking, recorded, inFlight: IN_FLIGHT, together: IN_FLIGHT / 2 };
    if (limit !== ALONE) return { ...asking, recorded, inFlight: IN_FLIGHT };
    return { ...asking, recorded, inFlight: IN_FLIGHT / 4, together: 1 };
  });
  return MAKES.map((make, process) => ({
    make,
    target: { sort: "server", port },
    limits,
    askings,
    whenUnavailable: "closed",
    deadline: DEADLINE,
    instances: MAKES.length,
    skew: SKEWS[process] ?? 0,
  }));
}
