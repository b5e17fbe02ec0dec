import type { LogLevel } from "../../transports/http-api/index.ts";
import { type Log, leveled } from "./log.ts";

/** Makes a log that writes JSON, a line an object, to stdout: by pino, for what collects logs. */
export async function jsonLog(level: LogLevel = "info"): Promise<Log> {
  const { pino } = await import("pino");
  const settings = {
    name: "spillway",
    level: "debug",
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // Not pino's own destination: nothing here waits for a console that nobody reads.
  const lines = pino(settings, process.stdout);
  return leveled((one, message, fields) => {
    if (one !== "silent") lines[one](fields, message);
  }, level);
}
