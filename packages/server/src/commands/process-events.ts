/** What a service does about signals, and about what Node itself has to say. */
import type { Log } from "../telemetry/index.ts";
import type { Stopping } from "./drain.ts";

/** Waits for SIGINT or SIGTERM: for the first, and for the second. Any that follow change nothing. */
export function stopSignals(): Stopping {
  const first = Promise.withResolvers<NodeJS.Signals>();
  const second = Promise.withResolvers<NodeJS.Signals>();
  let isFirst = true;
  const heard = (signal: NodeJS.Signals) => {
    (isFirst ? first : second).resolve(signal);
    isFirst = false;
  };
  process.on("SIGINT", heard);
  process.on("SIGTERM", heard);
  return { why: first.promise, again: second.promise };
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
