export { drained, type StopRequests, stoppingBy } from "./drain.ts";
export { logWarnings, onHangUp, onUserSignal, stopSignals } from "./process-events.ts";
