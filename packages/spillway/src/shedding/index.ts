/**
 * Refuses the least important work while a system is overloaded: estimators, signals, and shedders.
 */
export {
  closeSignal,
  PRIORITIES,
  type Priority,
  priorityOf,
} from "../internal/index.ts";
export { type AdaptiveShedderOptions, adaptiveShedder } from "./adaptive.ts";
export { AcceptRatio, type AcceptRatioSettings } from "./estimators/accept-ratio.ts";
export type { CapEstimator, CapSample } from "./estimators/cap-estimator.ts";
export { type CapSettings, ConcurrencyCap } from "./estimators/concurrency-cap.ts";
export { Integrator, type IntegratorSettings } from "./estimators/integrator.ts";
export type { ShedderEvent } from "./events.ts";
export { type FleetShedderOptions, fleetShedder } from "./fleet.ts";
export type { ShedderOptions } from "./options.ts";
export type { Admission, ByPriority, Outcome, Shedder, ShedderStats, Work } from "./shedder.ts";
export type { Signal } from "./signal.ts";
export { cgroupThrottling } from "./signals/cgroup-throttling.ts";
export { cpuUtilization } from "./signals/cpu-utilization.ts";
export { eventLoopDelay } from "./signals/event-loop-delay.ts";
export { eventLoopUtilization } from "./signals/event-loop-utilization.ts";
export { heapUtilization } from "./signals/heap-utilization.ts";
export { highest } from "./signals/highest.ts";
export { smoothed } from "./signals/smoothed.ts";
export { type UtilizationShedderOptions, utilizationShedder } from "./utilization.ts";
