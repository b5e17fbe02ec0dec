/** All functions of a route, each of which does at each request what the request says. */
import { RateLimiter } from "../../../src/limiter/index.ts";
import { adaptiveShedder } from "../../../src/shedding/index.ts";
import { FAULTS, type Fault, fails, TIMEOUT } from "../../faults.ts";
import type { AnyRequest, AnyRoute, Host } from "./host.ts";

/** What is done by functions instead of what is right. */
export type Plan = { readonly [F in FunctionName]?: Fault | "waits" };

const CAPACITY = 1000;
const LIMITS = {
  places: { kind: "concurrency", capacity: CAPACITY, ttl: "1m" },
  search: { kind: "token bucket", rate: CAPACITY, period: "1m" },
} as const;

/** What each function answers where it is right. In the order in which they are called. */
const RIGHT = {
  skip: () => false,
  priority: () => "low",
  cohort: () => "ada",
  deadline: () => 60_000,
  "the first part of a key": () => "a",
  "the second part of a key": () => "b",
  peer: () => "203.0.113.7",
  count: () => 1,
  config: () => LIMITS.places,
  "another key": () => "c",
  "another count": () => 1,
  onEvent: () => {},
  settle: () => 1,
  "another settle": () => "reset",
} as const satisfies { readonly [name: string]: () => unknown };

export type FunctionName = keyof typeof RIGHT;
export const FUNCTIONS = Object.keys(RIGHT) as readonly FunctionName[];

/** Whose answer nobody needs, or that is asked for when the answer is over. */
const UNNEEDED: readonly FunctionName[] = ["onEvent", "settle", "another settle"];
/** A shedder counts what it can't understand as not given; `true` alone skips; a plan may be left out. */
const LENIENT: readonly FunctionName[] = ["skip", "priority", "cohort", "deadline"];

/** The status that a fault leads to: 200 where it is none for that function. On a busy machine either may be first. */
function statusesOf(name: FunctionName, fault: Fault): readonly number[] {
  if (UNNEEDED.includes(name)) return [200];
  // It has to be there at once, so that no promise is waited for.
  if (name === "peer") return [500];
  if (fault === "never settles") return [503];
  if (fault === "rejects late" || fault === "rejects after its time") return [500, 503];
  if (fails(fault)) return [500];
  if (LENIENT.includes(name)) return [200];
  return [name === "config" && fault === "returns undefined" ? 200 : 500];
}

/** A route with all of them. */
export function siteOf(host: Pick<Host, "header">, waiting: Promise<unknown>) {
  const limiter = new RateLimiter(LIMITS);
  // However busy the machine is, it is not the shedder that refuses.
  const shedder = adaptiveShedder({ gate: () => 0, cap: 1_000_000, onEvent: () => {} });
  const does = (name: FunctionName, request: AnyRequest) => {
    const plan = JSON.parse(host.header(request, "x-plan") ?? "{}") as Plan;
    const fault = plan[name];
    if (fault === undefined) return RIGHT[name]();
    // Of who has gone no address is known, and its own promise comes to nothing.
    return fault === "waits" ? waiting.then(() => RIGHT[name]()) : FAULTS[fault]();
  };
  const of = (name: FunctionName) => (request: AnyRequest) => does(name, request) as never;
  const route: AnyRoute = {
    timeout: TIMEOUT,
    skip: of("skip"),
    shedder,
    priority: of("priority"),
    cohort: of("cohort"),
    deadline: of("deadline"),
    peer: of("peer"),
    onEvent: (event: { request: AnyRequest }) => does("onEvent", event.request),
    limits: [
      {
        limit: "places",
        key: [
          of("the first part of a key"),
          of("the second part of a key"),
          (_: AnyRequest, { address }: { address: string }) => address,
        ],
        count: of("count"),
        config: of("config"),
        settle: (_: unknown, request: AnyRequest) => does("settle", request) as never,
      },
      {
        limit: "search",
        key: of("another key"),
        count: of("another count"),
        settle: (_: unknown, request: AnyRequest) => does("another settle", request) as never,
      },
    ],
  };
  const inFlight = () => CAPACITY - limiter.value("places", { key: "a|b|203.0.113.7" }).remaining;
  return { limiter, route, shedder, inFlight };
}

/** Every fault of every function, alone and beside every fault of every other. */
export function* plans(faults: readonly Fault[]): Generator<Plan> {
  const singles = FUNCTIONS.flatMap((name) => faults.map((fault) => [name, fault] as const));
  for (const [index, [name, fault]] of singles.entries()) {
    yield { [name]: fault };
    for (const [other, its] of singles.slice(index + 1)) {
      if (other !== name) yield { [name]: fault, [other]: its };
    }
  }
}

/** The statuses that may be answered: that of the one that fails, and of two whichever was found. */
export function allowed(plan: Plan): readonly number[] {
  const statuses = Object.entries(plan).flatMap(([name, fault]) =>
    statusesOf(name as FunctionName, fault as Fault),
  );
  const failed = statuses.filter((status) => status !== 200);
  return failed.length === 0 ? [200] : failed;
}
