/** What a service says of itself while it runs: its log, its numbers, its traces. */

import type { OnCall } from "spillway/telemetry";
import type { Decided, OnRequest } from "../service/index.ts";
import {
  consoleLog,
  jsonLog,
  type Log,
  Metrics,
  metricsText,
  RefusalLog,
  TEXT_FORMAT,
} from "../telemetry/index.ts";
import type { MetricsPage } from "../transports/http-api/index.ts";
import { onUserSignal } from "./process-events.ts";
import { type TelemetryOptions, upstreamOf } from "./telemetry-options.ts";

export type Operation = {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly page: MetricsPage;
  readonly onDecided: (decided: Decided) => void;
  readonly onCall: OnCall;
  /** Makes traces; undefined where none are wanted. */
  readonly onRequest: OnRequest | undefined;
  readonly close: () => Promise<void>;
};

/** Begins it. */
export async function operation(options: TelemetryOptions): Promise<Operation> {
  const { logFormat, logLevel, logKeys, logRefusals: perSecond } = options;
  const log = logFormat === "json" ? await jsonLog(logLevel) : consoleLog(undefined, logLevel);
  log.keys = logKeys;
  const metrics = new Metrics({ upstream: upstreamOf(options, process.env) });
  metrics.loop.start();
  const refusals = new RefusalLog({ log, perSecond });
  toggleBySignal(log);
  return {
    log,
    metrics,
    page: { contentType: TEXT_FORMAT, text: () => metricsText(metrics.series) },
    onDecided: (decided) => {
      metrics.decided(decided);
      refusals.note(decided);
    },
    onCall: metrics.storeCalls.note,
    onRequest: undefined,
    close: async () => {
      refusals.close();
      metrics.loop.stop();
    },
  };
}

/** SIGUSR2 turns refusals in the log on, and off again. */
function toggleBySignal(log: Log): void {
  const usual = log.level === "debug" ? "info" : log.level;
  onUserSignal(() => {
    log.level = log.level === "debug" ? usual : "debug";
    log.info(`The log's level is ${log.level} (SIGUSR2)`, { event: "log level", level: log.level });
  });
}
