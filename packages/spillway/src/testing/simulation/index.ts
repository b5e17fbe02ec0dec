/** In virtual time: a server under load, to prove shedders with, and processes that share limits. */

export type { CpuOptions } from "./cpu.ts";
export { type Curve, constant, ramp, scaled, spike, step, sum } from "./curves.ts";
export { type Distribution, exponential, fixed, lognormal } from "./distributions.ts";
export { EventLoop } from "./event-loop.ts";
export { zipf } from "./limits/keys.ts";
export type { LimitBucket, LimitRecording, LimitTally } from "./limits/recording.ts";
export type {
  LimitScenario,
  LimitTraffic,
  Outage,
  Partition,
  SimulatedRegion,
  Spell,
  Stop,
} from "./limits/scenario.ts";
export { simulateLimits } from "./limits/simulate-limits.ts";
export {
  type AfterChange,
  callsPer100,
  idealShare,
  type LimitSpan,
  limitTotal,
  recoveryTime,
} from "./limits/summary.ts";
export { Pool, type PoolOptions } from "./pool.ts";
export type { Bucket, Recording, Tallies, Tally } from "./recording.ts";
export type { ServerOptions } from "./server.ts";
export { type Scenario, simulate, type World } from "./simulate.ts";
export {
  type AfterStep,
  cpuShare,
  goodput,
  latency,
  oscillation,
  type Span,
  settlingTime,
  successRate,
  total,
} from "./summary.ts";
export {
  type ClientOptions,
  type ConnectionUse,
  mix,
  type Route,
  type Traffic,
} from "./traffic.ts";
export { VirtualTime } from "./virtual-time.ts";
