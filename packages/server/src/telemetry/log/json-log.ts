import type { LogLevel } from "../../transports/http-api/index.ts";
import { leveled, type ServiceLogger } from "./log.ts";

/** Creates a log that writes one JSON object a line to stdout, by pino, for log collectors. */
export async function jsonLog(level: LogLevel = "info"): Promise<ServiceLogger> {
  const { pino } = await import("pino");
  const settings = {
    name: "spillway",
    level: "debug",
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // pino's own destination is not used: it would block on a console that is not read.
  const lines = pino(settings, process.stdout);
  return leveled((one, message, fields) => {
    if (one !== "silent") lines[one](fields, message);
  }, level);
}
