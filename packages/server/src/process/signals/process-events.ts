/** Signals, and Node's own warnings. */
import type { Log } from "../../telemetry/index.ts";
import { type Stopping, stoppingBy } from "./drain.ts";

/** Listens for SIGINT and SIGTERM. */
export function stopSignals(): Stopping {
  return stoppingBy((stop) => {
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}

/** Calls back for every SIGHUP. Without a listener, it ends a process. */
export function onHangUp(call: () => void): void {
  process.on("SIGHUP", call);
}

/** Calls back for every SIGUSR2, where there is such a signal. Without a listener, it ends a process. */
export function onUserSignal(call: () => void): void {
  if (process.platform !== "win32") process.on("SIGUSR2", call);
}

/** Logs Node's own warnings, such as one of an experimental module, like all others. */
export function logWarnings({ warn }: Log): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => warn(`${name}: ${message}`));
}
