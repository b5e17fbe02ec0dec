/** Listens for signals, and for Node's own warnings. */
import type { ServiceLogger } from "../../telemetry/index.ts";
import { type StopRequests, stoppingBy } from "./drain.ts";

/** Listens for SIGINT and SIGTERM. */
export function stopSignals(): StopRequests {
  return stoppingBy((stop) => {
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}

/** Calls a function for every SIGHUP. Without a listener, the signal ends a process. */
export function onHangUp(call: () => void): void {
  process.on("SIGHUP", call);
}

/**
 * Calls a function for every SIGUSR2, if the system has that signal. Without a listener, it ends a
 * process.
 */
export function onUserSignal(call: () => void): void {
  if (process.platform !== "win32") process.on("SIGUSR2", call);
}

/** Logs Node's own warnings, such as those about experimental modules, like all others. */
export function logWarnings({ warn }: ServiceLogger): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => warn(`${name}: ${message}`));
}
