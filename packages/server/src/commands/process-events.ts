/** What a service does about signals, and about what Node itself has to say. */
import type { Log } from "../telemetry/index.ts";

/** Waits for SIGINT or SIGTERM. Any that follow change nothing: it is stopping already. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on("SIGINT", resolve);
    process.on("SIGTERM", resolve);
  });
}

/** Says of SIGHUP that it does nothing. Without a listener, it ends a process. */
export function ignoreHangUp({ info }: Log): void {
  process.on("SIGHUP", () =>
    info("SIGHUP: ignored, for rules can't be reloaded yet; to read them again, restart"),
  );
}

/** Logs Node's own warnings, such as one of an experimental module, like all others. */
export function logWarnings({ warn }: Log): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => warn(`${name}: ${message}`));
}
