/** Who goes first when the machine is overloaded: estimators, signals, and what enforces them. */
export { type AdaptiveShedderOptions, adaptiveShedder } from "./adaptive.ts";
export { type ClosingResponse, closeSignal } from "./close-signal.ts";
export { AcceptRatio, type AcceptRatioSettings } from "./estimators/accept-ratio.ts";
export type { CapEstimator, CapSample } from "./estimators/cap-estimator.ts";
export { type CapSettings, ConcurrencyCap } from "./estimators/concurrency-cap.ts";
export { Integrator, type IntegratorSettings } from "./estimators/integrator.ts";
export type { Cause, OnShedderEvent, ShedderEvent } from "./events.ts";
export { type FleetShedderOptions, fleetShedder } from "./fleet.ts";
export type { CohortOptions, ShedderOptions } from "./options.ts";
export { PRIORITIES, type Priority, priorityOf } from "./priority.ts";
export type {
  Admission,
  ByPriority,
  Outcome,
  Shedder,
  ShedderStats,
  Work,
} from "./shedder.ts";
export type { Signal } from "./signal.ts";
export { type CgroupOptions, cgroupThrottling } from "./signals/cgroup-throttling.ts";
export { type CpuOptions, cpuUtilization } from "./signals/cpu-utilization.ts";
export { type EventLoopDelayOptions, eventLoopDelay } from "./signals/event-loop-delay.ts";
export { eventLoopUtilization } from "./signals/event-loop-utilization.ts";
export { heapUtilization } from "./signals/heap-utilization.ts";
export { highest } from "./signals/highest.ts";
export { type SmoothedOptions, smoothed } from "./signals/smoothed.ts";
export { type UtilizationShedderOptions, utilizationShedder } from "./utilization.ts";
