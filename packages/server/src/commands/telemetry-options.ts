/** Options for what a service says of itself. */
import { InvalidArgumentError, Option } from "commander";
import { LOG_LEVELS, type LogLevel } from "../transports/http-api/index.ts";
import { isOn } from "./envoy-options.ts";
import { optionOf } from "./option.ts";
import { toWhole } from "./whole-number.ts";

export type TelemetryOptions = {
  readonly metricsPort: number | undefined;
  readonly metricsHost: string | undefined;
  readonly upstreamMetrics: boolean;
  readonly logFormat: "text" | "json";
  readonly logLevel: LogLevel;
  readonly logRefusals: number;
  readonly logKeys: boolean;
};

const METRICS_PORT = {
  flags: "--metrics-port <port>",
  about: "a port of its own for /metrics, /livez and /readyz; 0 for any that is free",
  env: "SPILLWAY_METRICS_PORT",
  usual: undefined,
};
const METRICS_HOST = {
  flags: "--metrics-host <host>",
  about: "the address of that port. Default: that of --host",
  env: "SPILLWAY_METRICS_HOST",
  usual: undefined,
};
const LOG_FORMAT = {
  flags: "--log-format <format>",
  about: "lines for people, or JSON objects for what collects logs",
  env: "LOG_FORMAT",
  usual: "text",
};
const LOG_LEVEL = {
  flags: "--log-level <level>",
  about: "the least that is logged: debug (refusals too), info, warn or silent",
  env: "LOG_LEVEL",
  usual: "info",
};
const LOG_REFUSALS = {
  flags: "--log-refusals <number>",
  about: "the most refusals that are logged in a second, at the level debug",
  env: "SPILLWAY_LOG_REFUSALS",
  usual: 10,
};

/** Makes the options; each overrides its variable of the environment. */
export function telemetryOptions(): readonly Option[] {
  return [
    optionOf(METRICS_PORT).argParser(toWhole({ least: 0, most: 65_535 })),
    optionOf(METRICS_HOST),
    new Option("--upstream-metrics", "series by the names of envoyproxy/ratelimit as well"),
    optionOf(LOG_FORMAT).argParser(toFormat),
    optionOf(LOG_LEVEL).argParser(toLevel),
    optionOf(LOG_REFUSALS).argParser(toWhole({ least: 1, most: 1000 })),
    new Option("--log-keys", "have logged refusals name the keys that were refused").env(
      "SPILLWAY_LOG_KEYS",
    ),
  ];
}

function toFormat(text: string): "text" | "json" {
  const format = text.toLowerCase();
  if (format === "text" || format === "json") return format;
  throw new InvalidArgumentError("Expected text or json.");
}

/** Also by the names that envoyproxy/ratelimit has for them. */
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Where metrics have a port of their own, with what envoyproxy/ratelimit's environment says. Pure. */
export function metricsPlace(
  options: TelemetryOptions & { readonly host: string },
  env: Environment,
) {
  const { metricsPort, metricsHost } = options;
  const [, host, port] = /^(.*):(\d+)$/.exec(env.PROMETHEUS_ADDR ?? "") ?? [];
  const isUpstream = isOn(env.USE_PROMETHEUS);
  const usual = isUpstream ? Number(port ?? UPSTREAM_PORT) : undefined;
  return {
    port: metricsPort ?? usual,
    host: metricsHost ?? ((isUpstream && host) || options.host),
  };
}

/** Where envoyproxy/ratelimit serves them. */
const UPSTREAM_PORT = 9090;

/** The names and the ratio of envoyproxy/ratelimit, where they are wanted. Pure. */
export function upstreamOf({ upstreamMetrics }: TelemetryOptions, env: Environment) {
  if (!upstreamMetrics && !isOn(env.USE_PROMETHEUS)) return undefined;
  const ratio = Number(env.NEAR_LIMIT_RATIO || Number.NaN);
  return { nearRatio: ratio > 0 && ratio <= 1 ? ratio : USUAL_RATIO };
}

const USUAL_RATIO = 0.8;
