/** What servers are put through, in the order in which they are. */
import { PATHS } from "./arrivals.ts";
import type { Part, Situation } from "./situation.ts";

const ADAPTIVE = "spillway adaptive";
const BOTH = [ADAPTIVE, "none"];
const UNDER_PRESSURE = "@fastify/under-pressure";

/** Seconds. */
const WARM_UP = 3;

/** What most situations share, and what a warm one does. */
const COMMON = { clients: "closing", work: "fixed", contenders: BOTH, warmUp: 0 } as const;
const WARM = { ...COMMON, warmUp: WARM_UP } as const;
const EXTRA = { isExtra: true } as const;

/** One load all the time. */
function steady(load: number, seconds = 10): readonly Part[] {
  return [{ seconds, load }];
}

/** An overload, and what is left of it. */
function drop(load: number, { during, after }: { during: number; after: number }): readonly Part[] {
  return [
    { seconds: during, load },
    { seconds: after, load: 0.5, isAfter: true },
  ];
}

/** The load begins in the instant in which the process listens. */
const COLD: readonly Situation[] = [
  { ...COMMON, name: "cold 1.2x closing clients", parts: steady(1.2) },
  { ...COMMON, name: "cold 2x closing clients", parts: steady(2) },
  {
    ...COMMON,
    name: "cold 5x closing clients",
    parts: steady(5),
    contenders: [...BOTH, UNDER_PRESSURE, "none on Fastify"],
  },
  { ...COMMON, name: "cold 10x closing clients", parts: steady(10) },
  { ...COMMON, name: "cold 5x keeping clients", clients: "keeping", parts: steady(5) },
  { ...COMMON, name: "cold 5x HTTP/2 clients", clients: "http2", parts: steady(5) },
  { ...COMMON, ...EXTRA, name: "cold 3x closing clients", parts: steady(3) },
  { ...COMMON, ...EXTRA, name: "cold 5x for a minute", parts: steady(5, 60) },
  { ...COMMON, ...EXTRA, name: "cold 2x HTTP/2 clients", clients: "http2", parts: steady(2) },
  { ...COMMON, ...EXTRA, name: "cold 10x HTTP/2 clients", clients: "http2", parts: steady(10) },
  { ...COMMON, ...EXTRA, name: "cold 3x mixed work", work: "mixed", parts: steady(3) },
  { ...COMMON, ...EXTRA, name: "cold 3x lognormal work", work: "lognormal", parts: steady(3) },
];

/** A connection for each request; the room is that of connections that are kept. */
const CONNECTION_EACH: readonly Situation[] = [
  {
    ...COMMON,
    name: "cold 3x then 0.5x, a connection each",
    clients: "single",
    parts: drop(3, { during: 10, after: 10 }),
  },
  { ...COMMON, ...EXTRA, name: "cold 5x a connection each", clients: "single", parts: steady(5) },
  {
    ...WARM,
    ...EXTRA,
    name: "warm 1.2x then 0.5x, a connection each",
    clients: "single",
    parts: drop(1.2, { during: 10, after: 10 }),
  },
  {
    ...WARM,
    ...EXTRA,
    name: "warm 5x then 0.5x, a connection each",
    clients: "single",
    parts: drop(5, { during: 10, after: 10 }),
  },
  {
    ...WARM,
    ...EXTRA,
    name: "warm 0.7x a connection each",
    clients: "single",
    parts: steady(0.7),
  },
];

/** After some seconds at half load. */
const OVERLOADED: readonly Situation[] = [
  {
    ...WARM,
    name: "warm 5x keeping clients",
    clients: "keeping",
    isOpened: true,
    parts: steady(5),
    contenders: [...BOTH, "spillway utilization", UNDER_PRESSURE],
  },
  { ...WARM, name: "warm 2x closing clients", parts: steady(2) },
  { ...WARM, ...EXTRA, name: "warm 1.2x closing clients", parts: steady(1.2) },
  { ...WARM, ...EXTRA, name: "warm 3x closing clients", parts: steady(3) },
  { ...WARM, ...EXTRA, name: "warm 5x closing clients", parts: steady(5) },
  { ...WARM, ...EXTRA, name: "warm 10x closing clients", parts: steady(10) },
  { ...WARM, ...EXTRA, name: "warm 5x HTTP/2 clients", clients: "http2", parts: steady(5) },
  { ...WARM, name: "warm 2x mixed work", work: "mixed", parts: steady(2) },
  {
    ...WARM,
    name: "spike 10x for 3 s closing clients",
    parts: drop(10, { during: 3, after: 6 }),
  },
  {
    ...WARM,
    name: "drop 5x to 0.5x closing clients",
    parts: drop(5, { during: 7, after: 7 }),
  },
  {
    ...WARM,
    name: "alternating 0.5x and 3x closing clients",
    parts: [0.5, 3, 0.5, 3].map((load) => ({ seconds: 5, load })),
  },
  {
    ...WARM,
    name: "slow downstream 0.7x closing clients",
    work: "downstream",
    parts: [
      { seconds: 10, load: 0.7, roomShare: 0.1 },
      { seconds: 7, load: 0.7, isAfter: true },
    ],
  },
];

/** Five responses a second that stay open for ten seconds, beside work at half load. */
const STREAMING: readonly Situation[] = [
  {
    ...WARM,
    name: "streams closing clients",
    parts: [{ seconds: 15, load: 0.5, streams: { path: PATHS.stream, rate: 5 } }],
  },
  {
    ...WARM,
    name: "streams announced closing clients",
    parts: [{ seconds: 15, load: 0.5, streams: { path: PATHS.announced, rate: 5 } }],
    contenders: [ADAPTIVE],
  },
];

/** Where nothing needs to be refused. */
const FITTING: readonly Situation[] = [
  { ...WARM, name: "steady 0.7x fixed work", parts: steady(0.7) },
  { ...WARM, name: "steady 0.9x fixed work", parts: steady(0.9) },
  { ...WARM, name: "steady 0.7x exponential work", work: "exponential", parts: steady(0.7) },
  { ...WARM, name: "steady 0.9x exponential work", work: "exponential", parts: steady(0.9) },
  { ...WARM, name: "steady 0.7x lognormal work", work: "lognormal", parts: steady(0.7, 12) },
  { ...WARM, name: "steady 0.9x lognormal work", work: "lognormal", parts: steady(0.9, 12) },
  { ...WARM, name: "steady 0.7x blocked for 300 ms", work: "blocked", parts: steady(0.7) },
  { ...WARM, name: "steady 0.7x garbage", work: "garbage", parts: steady(0.7) },
  { ...WARM, ...EXTRA, name: "steady 0.01x fixed work", parts: steady(0.01) },
];

export const SITUATIONS: readonly Situation[] = [
  ...COLD,
  ...CONNECTION_EACH,
  ...OVERLOADED,
  ...STREAMING,
  ...FITTING,
];
