/** The log, metrics and traces of a running service. */
import type { OnCall } from "spillway/telemetry";
import type { DecidedCall, OnRequest } from "../../service/index.ts";
import {
  consoleLog,
  jsonLog,
  KeySketch,
  Metrics,
  metricsText,
  otlpSettings,
  RefusalLog,
  type ServiceLogger,
  startOtlp,
  TEXT_FORMAT,
  UnknownKeyLog,
} from "../../telemetry/index.ts";
import type { MetricsPage } from "../../transports/http-api/index.ts";
import { hasAdmin } from "../admin/index.ts";
import { type ServeOptions, upstreamOf } from "../options/index.ts";
import { onUserSignal } from "../signals/index.ts";
import { bothOf } from "./both-of.ts";
import { explainTelemetry } from "./missing-telemetry.ts";

export type Operation = {
  readonly log: ServiceLogger;
  readonly metrics: Metrics;
  readonly page: MetricsPage;
  /** Counts keys; undefined if there is no administration to read them. */
  readonly keys: KeySketch | undefined;
  readonly onDecided: (decided: DecidedCall) => void;
  readonly onCall: OnCall;
  /** Creates traces; undefined if none are wanted. */
  readonly onRequest: OnRequest | undefined;
  readonly close: () => Promise<void>;
};

/** Starts them. */
export async function operation(options: ServeOptions): Promise<Operation> {
  const log = await logOf(options);
  const metrics = new Metrics({ upstream: upstreamOf(options) });
  metrics.loop.start();
  const refusals = new RefusalLog({ log, perSecond: options.logRefusals });
  const unknownKeys = new UnknownKeyLog(log);
  const keys = hasAdmin(options) ? new KeySketch() : undefined;
  const sent = { series: () => metrics.series, warn: log.warn };
  const otlp = startOtlp(otlpSettings(process.env), sent);
  const { traces, close } = await otlp.catch(explainTelemetry);
  return {
    log,
    metrics,
    keys,
    page: { contentType: TEXT_FORMAT, text: () => metricsText(metrics.series) },
    onDecided: (decided) => {
      metrics.decided(decided);
      refusals.note(decided);
      unknownKeys.note(decided);
      keys?.note(decided);
      traces?.onDecided(decided);
    },
    onCall:
      traces === undefined
        ? metrics.storeCalls.note
        : bothOf(metrics.storeCalls.note, traces.onCall),
    onRequest: traces?.onRequest,
    close: async () => {
      refusals.close();
      metrics.loop.stop();
      await close();
    },
  };
}

async function logOf({
  logFormat,
  logLevel,
  logKeys = false,
}: ServeOptions): Promise<ServiceLogger> {
  const log = logFormat === "json" ? await jsonLog(logLevel) : consoleLog(undefined, logLevel);
  log.keys = logKeys;
  toggleBySignal(log);
  return log;
}

/** SIGUSR2 turns the logging of refusals on and off. */
function toggleBySignal(log: ServiceLogger): void {
  const usual = log.level === "debug" ? "info" : log.level;
  onUserSignal(() => {
    log.level = log.level === "debug" ? usual : "debug";
    log.info(`The log level is ${log.level} (SIGUSR2)`, { event: "log level", level: log.level });
  });
}
