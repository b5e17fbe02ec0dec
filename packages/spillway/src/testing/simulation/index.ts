/** A server under load in virtual time, to prove shedders with. */

export type { CpuOptions } from "./cpu.ts";
export { type Curve, constant, ramp, scaled, spike, step, sum } from "./curves.ts";
export { type Distribution, exponential, fixed, lognormal } from "./distributions.ts";
export { EventLoop } from "./event-loop.ts";
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
