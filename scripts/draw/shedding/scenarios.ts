/** What shedders are tried with: loads, latencies, clients, all in virtual time. */
import { MINUTE, SECOND } from "spillway";
import { memoryStore } from "spillway/memory";
import { fleetShedder, type Shedder, utilizationShedder } from "spillway/shedding";
import {
  type Curve,
  constant,
  exponential,
  fixed,
  lognormal,
  type Scenario,
  scaled,
  spike,
  step,
  sum,
  type Traffic,
  type World,
} from "spillway/testing/simulation";
import { REAL_CLIENTS } from "./real-clients.ts";
import { adaptive, CPU_BOUND, type Trial, traffic, WORK } from "./trial.ts";

/** A database is asked for 50 ms. */
const DATABASE = { cpu: fixed(1), downstream: { pool: "database", time: fixed(50) } };

/** The same at a load of so many times what there is room for, from the beginning. */
function steady(load: number, about: string): Trial {
  return {
    title: `${load} × the capacity`,
    about,
    capacity: constant(CPU_BOUND),
    from: 15 * SECOND,
    scenario: {
      duration: load > 5 ? 40 * SECOND : MINUTE,
      traffic: traffic(constant(load * CPU_BOUND), WORK),
      shedder: adaptive,
    },
  };
}

/** When a database slows down, and for how long. */
const SLOW = { at: 20 * SECOND, lasting: 20 * SECOND };

/** So many connections to a database that takes so many times as long for a while. */
type Slowdown = Pick<Trial, "title" | "about" | "capacity"> & {
  readonly workers: number;
  readonly times: number;
};

function slowDatabase({ workers, times, ...others }: Slowdown): Trial {
  return {
    ...others,
    from: SLOW.at,
    scenario: {
      duration: MINUTE,
      traffic: traffic(constant(140), DATABASE),
      pools: { database: { workers, slowdown: spike({ base: 1, peak: times, ...SLOW }) } },
      shedder: adaptive,
    },
  };
}

const WORKERS = { fleet: { workers: 25 } };
const AT_WORKERS = { downstream: { pool: "fleet", time: exponential(100) } };
const FREE = { overhead: 0, refusalCost: 0 };

/** 60 critical and 60 normal requests a second, and a flood of what matters least. */
const FLOOD: readonly Traffic[] = [
  { ...AT_WORKERS, priority: "critical", rate: constant(60) },
  { ...AT_WORKERS, priority: "normal", rate: constant(60) },
  {
    ...AT_WORKERS,
    priority: "background",
    rate: spike({ base: 5, peak: 117, at: MINUTE, lasting: 10 * MINUTE }),
  },
];

/** Refuses all of the least important while the workers are busier than a threshold: what flaps. */
const onOff = ({ pools, scheduler }: World): Shedder =>
  utilizationShedder({
    signal: pools.get("fleet")?.utilization() ?? (() => undefined),
    scheduler,
    grace: 0,
    span: 1,
    window: 8 * SECOND,
  });

const withIntegrator = ({ pools, scheduler, clock, random }: World): Shedder =>
  utilizationShedder({
    signal: pools.get("fleet")?.utilization() ?? (() => undefined),
    scheduler,
    clock,
    random,
    window: 8 * SECOND,
  });

const forFleet = ({ scheduler, clock, random }: World): Shedder =>
  fleetShedder({ store: memoryStore({ clock }), capacity: 25, scheduler, clock, random });

const floodTrial = (title: string, about: string, shedder: Scenario["shedder"]): Trial => ({
  title,
  about,
  capacity: constant(250),
  from: 6 * MINUTE,
  scenario: {
    duration: 15 * MINUTE,
    width: 8 * SECOND,
    traffic: FLOOD,
    pools: WORKERS,
    server: FREE,
    ...(shedder && { shedder }),
  },
});

/** All trials, by the names of their pictures. */
export const TRIALS = {
  "load-0.7": steady(0.7, "Nothing is refused."),
  "load-1": steady(1, "Random peaks refuse some of the least important work."),
  "load-2": steady(2, "Half is refused: background and low, some of normal, nothing critical."),
  "load-5": steady(
    5,
    "Four fifths are refused: background and low, and most of normal. For two seconds served work has waited for half a second; then the newest starts first.",
  ),
  "load-10": steady(
    10,
    "Nearly all but critical work is refused, which alone is 0.8 of the capacity.",
  ),
  "idle-then-burst": {
    title: "Idle, then a tenfold burst",
    about: "From 7 % to 70 % of the capacity at once: nothing is refused.",
    capacity: constant(CPU_BOUND),
    from: 30 * SECOND,
    scenario: {
      duration: MINUTE,
      traffic: traffic(
        step({ from: 0.07 * CPU_BOUND, to: 0.7 * CPU_BOUND, at: 30 * SECOND }),
        WORK,
      ),
      shedder: adaptive,
    },
  },
  spike: {
    title: "A spike of ten seconds",
    about:
      "Five times the capacity from 20 s to 30 s, otherwise half: service stays at the capacity, and nothing is refused afterwards.",
    capacity: constant(CPU_BOUND),
    from: 20 * SECOND,
    scenario: {
      duration: MINUTE,
      traffic: traffic(
        spike({ base: 100, peak: 5 * CPU_BOUND, at: 20 * SECOND, lasting: 10 * SECOND }),
        WORK,
      ),
      shedder: adaptive,
    },
  },
  "slow-downstream": slowDatabase({
    title: "A database that slows down, and recovers",
    about:
      "For 20 seconds it takes four times as long: the capacity shrinks to a quarter while the process itself is idle.",
    capacity: scaled(spike({ base: 4, peak: 1, ...SLOW }), { by: 50 }),
    workers: 10,
    times: 4,
  }),
  "busy-database": {
    title: "A database that is busy from the beginning",
    about: "Twice what its ten connections can do; latency without a queue was never measured.",
    capacity: constant(200),
    from: 15 * SECOND,
    scenario: {
      duration: MINUTE,
      traffic: traffic(constant(400), DATABASE),
      pools: { database: { workers: 10 } },
      shedder: adaptive,
    },
  },
  "wide-database": slowDatabase({
    title: "A database that slows down, with connections for all",
    about: "For 20 seconds it takes six times as long, without a queue.",
    capacity: constant(500),
    workers: 500,
    times: 6,
  }),
  "fast-beside-slow": {
    title: "A quick route beside a database that slows down",
    about:
      "A hundred requests of 1 ms a second beside a database that takes four times as long: quick requests must not hide slow ones.",
    capacity: sum([constant(100), scaled(spike({ base: 4, peak: 1, ...SLOW }), { by: 50 })]),
    from: SLOW.at,
    scenario: {
      duration: MINUTE,
      traffic: [...traffic(constant(140), DATABASE), ...traffic(constant(100), { cpu: fixed(1) })],
      pools: { database: { workers: 10, slowdown: spike({ base: 1, peak: 4, ...SLOW }) } },
      shedder: adaptive,
    },
  },
  "mixed-routes": {
    title: "Cheap and expensive routes, at twice the capacity",
    about: "Nine in ten requests take 1 ms, one takes 20 ms and a database 100 ms.",
    capacity: constant(345),
    from: 15 * SECOND,
    scenario: {
      duration: MINUTE,
      traffic: [
        ...traffic(constant(2 * 345 * 0.9), { cpu: fixed(1) }),
        ...traffic(constant(2 * 345 * 0.1), {
          cpu: fixed(20),
          downstream: { pool: "database", time: exponential(100) },
        }),
      ],
      pools: { database: { workers: 50 } },
      shedder: adaptive,
    },
  },
  "heavy-tail": {
    title: "Work of very different length, at twice the capacity",
    about: "Lognormal, 5 ms on average: one request in a hundred takes 30 ms.",
    capacity: constant(CPU_BOUND),
    from: 15 * SECOND,
    scenario: {
      duration: MINUTE,
      traffic: traffic(constant(2 * CPU_BOUND), { cpu: lognormal({ mean: 5 }) }),
      shedder: adaptive,
    },
  },
  "night-then-morning": {
    title: "An idle night, then the morning",
    about: "Eight hours with a request every ten seconds, then twice the capacity.",
    capacity: constant(CPU_BOUND),
    from: 8 * 60 * MINUTE,
    shown: 8 * 60 * MINUTE - 10 * SECOND,
    scenario: {
      duration: 8 * 60 * MINUTE + 40 * SECOND,
      traffic: traffic(step({ from: 0.1, to: 2 * CPU_BOUND, at: 8 * 60 * MINUTE }), WORK),
      shedder: adaptive,
    },
  },
  retries: {
    title: "Clients that retry, at twice the capacity",
    about: "Each refused request is sent twice more, after up to 100 and 200 ms.",
    capacity: constant(CPU_BOUND),
    from: 15 * SECOND,
    scenario: {
      duration: MINUTE,
      traffic: traffic(constant(2 * CPU_BOUND), WORK),
      client: { attempts: 3, backoff: 100 },
      shedder: adaptive,
    },
  },
  "workers-on-off": floodTrial(
    "Busy workers, shed by a threshold",
    "Above 0.8, all but critical work is refused, every other eight seconds of the flood: it flaps, and normal work suffers.",
    onOff,
  ),
  "workers-integrator": floodTrial(
    "Busy workers, shed by the integrator",
    "The same flood from 60 s to 660 s: after half a minute, a growing share of background is refused until the workers are below the threshold. Two minutes after the flood all is admitted.",
    withIntegrator,
  ),
  fleet: {
    title: "A fleet that reserves capacity by priority",
    about: "Twenty-five workers and twice the work that they can do.",
    capacity: constant(250),
    from: 15 * SECOND,
    scenario: {
      duration: MINUTE,
      traffic: traffic(constant(500), AT_WORKERS),
      pools: WORKERS,
      server: FREE,
      shedder: forFleet,
    },
  },
  ...REAL_CLIENTS,
} satisfies { readonly [file: string]: Trial };

/** The rate at which requests arrive, all together. */
export function offered({ scenario }: Trial): Curve {
  return sum(scenario.traffic.map(({ rate }) => rate));
}
