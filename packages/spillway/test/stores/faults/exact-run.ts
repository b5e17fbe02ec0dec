import type { Limits } from "../../../src/limits/core/index.ts";
import { until } from "../../servers/until.ts";
import { Books, type Span } from "./books.ts";
import { ClientProcesses } from "./clients/client-processes.ts";
import type { Admission, Asking, Assignment, Report, Tally } from "./clients/protocol.ts";
import { ALONE, countedLimits, SHORT, type Size, shortLimits } from "./exact-limits.ts";
import { asking, KEY, type Subject } from "./fault.ts";

/** Milliseconds by which the clock of each process is wrong. */
const SKEWS = [0, 3_600_000, -3_600_000, 90_000];
/** Milliseconds: no answer is too late here, however busy the machine. */
const DEADLINE = 30_000;
/** Those of which each admission is told. */
const RECORDED = ["leaky bucket", ...SHORT];

/** Many processes that ask for all that they can get. */
export type Rush<Client> = {
  /** Who asks, a process each; another one like the first keeps the books. */
  readonly clients: readonly Client[];
  /** Milliseconds of the machine's clock, at least: all have to be refused in the end. */
  readonly ms: number;
  /** How much there is to be had: no more than can be asked for. */
  readonly size: Size;
  /** Asks that each process has in flight, on each limit. */
  readonly inFlight: number;
  /** How many asks one request has room for where each looks at the clock as well. */
  readonly together: number;
  /** How many transactions each process has open that ask for the same, limit by limit. */
  readonly transactions: number;
};

/** What came of many processes asking for all that they can get. */
export class ExactRun {
  readonly size: Size;
  readonly #spans: ReadonlyMap<string, Span>;
  readonly reports: readonly Report[];

  constructor(size: Size, spans: ReadonlyMap<string, Span>, reports: readonly Report[]) {
    this.size = size;
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

/** Lets processes ask for all limits at once. */
export async function runExactly<Client>(
  rush: Rush<Client>,
  { open, program }: Subject<Client>,
): Promise<ExactRun> {
  const counted = countedLimits(rush.size, Date.now());
  const limits = { ...counted, ...shortLimits(rush.size) };
  using processes = await ClientProcesses.start(program, assignments(rush, limits));
  const opened = await open(rush.clients[0] as Client);
  const store = opened.store({ deadline: DEADLINE });
  await opened.connect();
  const books = await Books.open(store, counted, KEY);
  const end = Date.now() + rush.ms;
  await processes.ask();
  await until(async () => Date.now() >= end && (await areRefused(processes)), {
    what: "the load has lasted, and all have been refused",
  });
  const reports = await processes.stop();
  const spans = await books.close(store);
  await opened.close();
  return new ExactRun(rush.size, spans, reports);
}

async function areRefused(processes: ClientProcesses): Promise<boolean> {
  const phases = await processes.phases("before");
  return phases.every(({ tallies }) => tallies.every(({ refused }) => refused.limited));
}

function assignments({ clients, ...rush }: Rush<unknown>, limits: Limits): Assignment[] {
  const names = Object.keys(limits);
  const askings = [...names.map((limit) => outside(limit, rush)), ...within(names, rush)];
  return clients.map((client, process) => ({
    client,
    limits,
    askings,
    whenUnavailable: "closed",
    deadline: DEADLINE,
    instances: clients.length,
    skew: SKEWS[process] ?? 0,
  }));
}

type Way = Pick<Rush<unknown>, "inFlight" | "together" | "transactions">;

function outside(limit: string, { inFlight, together }: Way): Asking {
  const most = asking({ limit, pause: 0, inFlight });
  if (RECORDED.includes(limit)) return { ...most, recorded: true, together };
  return limit === ALONE ? { ...most, inFlight: inFlight / 4, together: 1 } : most;
}

/** In transactions nothing is recorded: what is asked there is asked by itself. */
function within(limits: readonly string[], { transactions }: Way): Asking[] {
  if (transactions === 0) return [];
  const some = limits.filter((limit) => !RECORDED.includes(limit));
  return some.map((limit) => asking({ limit, pause: 0, inFlight: transactions, within: true }));
}
