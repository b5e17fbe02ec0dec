/** Options for logs, metrics and traces. */
import { InvalidArgumentError, Option } from "commander";
import { LOG_LEVELS, type LogLevel } from "../../transports/http-api/index.ts";
import { optionOf, switchOf } from "./option.ts";
import { toHost, toWhole } from "./readers.ts";
import type { ServeEnvironment } from "./serve-environment.ts";

export type TelemetryOptions = {
  readonly metricsPort: number | undefined;
  readonly metricsHost: string | undefined;
  /** Undefined if it is off. So is `logKeys`. */
  readonly upstreamMetrics?: boolean;
  readonly logFormat: "text" | "json";
  readonly logLevel: LogLevel;
  readonly logRefusals: number;
  readonly logKeys?: boolean;
};

const METRICS_PORT = {
  flags: "--metrics-port <port>",
  about: "a separate port for /metrics, /livez and /readyz; 0 for any free port",
  env: "SPILLWAY_METRICS_PORT",
  read: toWhole({ least: 0, most: 65_535 }),
};
const METRICS_HOST = {
  flags: "--metrics-host <host>",
  about: "the address of that port. Default: that of --host",
  env: "SPILLWAY_METRICS_HOST",
  read: toHost,
};
const LOG_FORMAT = {
  flags: "--log-format <format>",
  about: "text lines, or JSON objects for log collectors",
  env: "LOG_FORMAT",
  usual: "text",
  read: toFormat,
};
const LOG_LEVEL = {
  flags: "--log-level <level>",
  about: "the lowest level to log: debug (refusals too), info, warn or silent",
  env: "LOG_LEVEL",
  usual: "info",
  read: toLevel,
};
const LOG_REFUSALS = {
  flags: "--log-refusals <number>",
  about: "the most refusals to log per second, at level debug",
  env: "SPILLWAY_LOG_REFUSALS",
  usual: 10,
  read: toWhole({ least: 1, most: 1000 }),
};
const LOG_KEYS = {
  flags: "--log-keys",
  about: "include refused keys in logged refusals",
  env: "SPILLWAY_LOG_KEYS",
};

/** Creates the options. Each overrides its environment variable. */
export function telemetryOptions(): readonly Option[] {
  return [
    optionOf(METRICS_PORT),
    optionOf(METRICS_HOST),
    new Option("--upstream-metrics", "also export series under the names of envoyproxy/ratelimit"),
    optionOf(LOG_FORMAT),
    optionOf(LOG_LEVEL),
    optionOf(LOG_REFUSALS),
    switchOf(LOG_KEYS),
  ];
}

function toFormat(text: string): "text" | "json" {
  const format = text.toLowerCase();
  if (format === "text" || format === "json") return format;
  throw new InvalidArgumentError("Expected text or json.");
}

/** Also accepts the names that envoyproxy/ratelimit uses. */
function toLevel(text: string): LogLevel {
  const level = text.toLowerCase();
  const known = LOG_LEVELS.find((one) => one === level) ?? UPSTREAM_LEVELS.get(level);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`Expected one of ${LOG_LEVELS.join(", ")}.`);
}

const UPSTREAM_LEVELS: ReadonlyMap<string, LogLevel> = new Map([
  ["trace", "debug"],
  ["warning", "warn"],
  ["error", "warn"],
  ["fatal", "warn"],
  ["panic", "warn"],
]);

type MetricsSettings = TelemetryOptions & Pick<ServeEnvironment, "prometheus" | "nearRatio">;

/** Returns the separate address for metrics; undefined if there is none. Pure. */
export function metricsPlace(options: MetricsSettings & { readonly host: string }) {
  const { metricsPort, metricsHost, prometheus, host } = options;
  return {
    port: metricsPort ?? prometheus?.port,
    host: metricsHost ?? prometheus?.host ?? host,
  };
}

/**
 * Returns the settings of series with the names of envoyproxy/ratelimit; undefined if there are
 * none. Pure.
 */
export function upstreamOf({ upstreamMetrics = false, prometheus, nearRatio }: MetricsSettings) {
  return upstreamMetrics || prometheus !== undefined ? { nearRatio } : undefined;
}
