/**
 * Simulations in virtual time: a server under load, to test shedders, and processes that share
 * limits.
 */

export { type Curve, constant, ramp, scaled, spike, step, sum } from "./curves.ts";
export { exponential, fixed, lognormal } from "./distributions.ts";
export { zipf } from "./limits/keys.ts";
export type { LimitRecording } from "./limits/recording.ts";
export type { LimitScenario } from "./limits/scenario.ts";
export { simulateLimits } from "./limits/simulate-limits.ts";
export { callsPer100, idealShare, limitTotal, recoveryTime } from "./limits/summary.ts";
export { Pool } from "./pool.ts";
export type { Recording } from "./recording.ts";
export { type Scenario, simulate, type World } from "./simulate.ts";
export {
  cpuShare,
  goodput,
  latency,
  oscillation,
  type Span,
  settlingTime,
  successRate,
  total,
} from "./summary.ts";
export { type ClientOptions, mix, type Route, type Traffic } from "./traffic.ts";
