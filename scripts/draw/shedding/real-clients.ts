/** Processes as they start and clients as they are: they give up, close, and connect anew. */
import { MINUTE, SECOND } from "spillway";
import {
  type ClientOptions,
  type Curve,
  constant,
  fixed,
  lognormal,
  ramp,
  scaled,
  spike,
  step,
  type Traffic,
} from "spillway/testing/simulation";
import { adaptive, CPU_BOUND, type Trial, traffic, WORK } from "./trial.ts";

/** They open connections as they need them, and close those on which no answer came in a second. */
const CLOSING = { connections: "pooled", closes: true } as const satisfies ClientOptions;

/** Half a second in which nothing is read, and code that is five times as slow at first. */
const COLD = { blocked: 500, warmUp: ramp({ from: 5, to: 1, start: 0, end: 100 }) };

/** Somebody watches the process, and would restart it. */
const HEALTH: Traffic = { rate: constant(2), cpu: fixed(0.1), exempt: true, name: "health" };

type Load = Pick<Trial, "title" | "about"> & {
  /** In so many times what there is room for, over time. */
  readonly load: Curve;
  readonly client?: ClientOptions;
};

/** Work for the CPU, by clients that close. */
function loadOf({ load, client = CLOSING, ...others }: Load): Trial {
  return {
    ...others,
    capacity: constant(CPU_BOUND),
    from: 5 * SECOND,
    scenario: {
      duration: 40 * SECOND,
      traffic: [...traffic(scaled(load, { by: CPU_BOUND }), WORK), HEALTH],
      client,
      shedder: adaptive,
    },
  };
}

/** A process that starts into so many times what there is room for. */
export function coldStart(load: number): Trial {
  const trial = loadOf({
    title: `A cold start into ${load} × the capacity`,
    about:
      "Blocked for half a second, slow for a hundred requests, while connections queue: all critical work is served from 3 s on.",
    load: constant(load),
  });
  return { ...trial, scenario: { ...trial.scenario, server: COLD } };
}

/** Five seconds of the one, five of the other, in turn. */
function alternating({ low, high }: { readonly low: number; readonly high: number }): Curve {
  const at = (ms: number) => (Math.floor(ms / (5 * SECOND)) % 2 === 0 ? low : high);
  return { most: Math.max(low, high), at };
}

/** When the database takes ten times as long, and for how long. */
const SLOW = { at: 20 * SECOND, lasting: 10 * SECOND };

/** Of 350 requests a second 35 are critical: 0.7 of the 50 that the slow database can do. */
const SHARES = { critical: 0.1, normal: 0.4, low: 0.3, background: 0.2 };

/** Trials by the names of their pictures; `HEALTH` is a part of each. */
export const REAL_CLIENTS = {
  "cold-5": coldStart(5),
  "single-use-3": loadOf({
    title: "A connection for each request, at 3 × the capacity",
    about:
      "Without a shedder, connections queue in the operating system and no request is served. With one, service stays near the capacity, and all critical work is served.",
    load: constant(3),
    client: { connections: "single use", closes: true },
  }),
  alternating: loadOf({
    title: "Half and three times the capacity, in turn",
    about:
      "It changes every five seconds: service follows at once, and all critical work is served.",
    load: alternating({ low: 0.5, high: 3 }),
  }),
  "drop-5": loadOf({
    title: "From five times to half the capacity",
    about: "At 20 s the load drops while connections queue: nothing is refused from 23 s on.",
    load: step({ from: 5, to: 0.5, at: 20 * SECOND }),
  }),
  "tenfold-database": {
    title: "A database that takes ten times as long for ten seconds",
    about:
      "From 20 s to 30 s the capacity is 50 a second, of which critical work needs 35: all of it is served, and everything soon after 30 s.",
    capacity: scaled(spike({ base: 10, peak: 1, ...SLOW }), { by: 50 }),
    from: SLOW.at,
    scenario: {
      duration: 45 * SECOND,
      traffic: [
        ...traffic(
          constant(350),
          { cpu: fixed(0.5), downstream: { pool: "database", time: fixed(20) } },
          SHARES,
        ),
        HEALTH,
      ],
      pools: { database: { workers: 10, slowdown: spike({ base: 1, peak: 10, ...SLOW }) } },
      client: CLOSING,
      shedder: adaptive,
    },
  },
  streams: {
    title: "Streams beside requests, at half the capacity",
    about:
      "Five streams a second begin, last ten seconds each, and use nothing: nothing is refused.",
    capacity: constant(CPU_BOUND),
    from: 5 * SECOND,
    scenario: {
      duration: 40 * SECOND,
      traffic: [
        ...traffic(constant(0.5 * CPU_BOUND), WORK),
        { rate: constant(5), cpu: fixed(1), holds: fixed(10 * SECOND), name: "stream" },
        HEALTH,
      ],
      client: CLOSING,
      shedder: adaptive,
    },
  },
  "heavier-tail": {
    ...loadOf({
      title: "Work of extremely different length, at 0.9 × the capacity",
      about:
        "Lognormal, 5 ms on average, sigma 1.5: one request in a hundred takes more than 50 ms. Hardly anything is refused.",
      load: constant(0.9),
    }),
    scenario: {
      duration: MINUTE,
      traffic: [
        ...traffic(constant(0.9 * CPU_BOUND), { cpu: lognormal({ mean: 5, sigma: 1.5 }) }),
        HEALTH,
      ],
      client: CLOSING,
      shedder: adaptive,
    },
  },
} satisfies { readonly [file: string]: Trial };
