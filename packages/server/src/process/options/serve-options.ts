/** Options of `spillway serve`, also read from the environment. */
import { InvalidArgumentError, type Option } from "commander";
import type { WhenUnavailable } from "spillway";
import type { StoreLocation } from "../places/index.ts";
import { type AdminServeOptions, adminOptions } from "./admin-options.ts";
import { type AnswerFlags, answerOptions } from "./answer-options.ts";
import { type BoundOptions, boundOptions } from "./bound-options.ts";
import { type DrainOptions, drainOption } from "./drain-option.ts";
import { type GrpcServeOptions, grpcOptions } from "./grpc-options.ts";
import { optionOf } from "./option.ts";
import { toHost, toWhole } from "./readers.ts";
import { type RuleOptions, ruleOptions } from "./rule-options.ts";
import type { ServeEnvironment } from "./serve-environment.ts";
import { schemaOption, storeOption } from "./store-options.ts";
import { type TelemetryOptions, telemetryOptions } from "./telemetry-options.ts";

export type ServeOptions = BoundOptions &
  DrainOptions &
  RuleOptions &
  GrpcServeOptions &
  AnswerFlags &
  AdminServeOptions &
  TelemetryOptions &
  ServeEnvironment & {
    readonly host: string;
    readonly port: number;
    /** The number of processes that answer. */
    readonly workers: number;
    readonly store: StoreLocation;
    readonly schema: string;
    readonly whenUnavailable: ServedPolicy;
    readonly instances: number;
    readonly deadline: number | undefined;
  };

/** Help of `--store`. */
export const STORE =
  "where state lives: memory, sqlite:file, postgres://host:port/database, redis://host:port/db, " +
  "redis+cluster://host:port,… or redis+sentinel://host:port,…/master-name/db; rediss for TLS";

/**
 * The answer of limits while the store gives none; `error` is `closed`, except that gRPC calls
 * fail.
 */
export type ServedPolicy = WhenUnavailable | "error";

const POLICIES: readonly ServedPolicy[] = ["closed", "open", "local", "error"];

/** Creates the options. Each overrides its environment variable. */
export function serveOptions(): readonly Option[] {
  return [
    ...addressOptions(),
    workersOption(),
    storeOption({ about: STORE, usual: "memory" }),
    schemaOption(),
    ...outageOptions(),
    drainOption(),
    ...ruleOptions(),
    ...answerOptions(),
    ...grpcOptions(),
    ...boundOptions(),
    ...telemetryOptions(),
    ...adminOptions(),
  ];
}

/** Creates the options for the address to listen on. */
export function addressOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--host <host>",
      about: "the address to listen on; 0.0.0.0 for all",
      env: "HOST",
      usual: "127.0.0.1",
      read: toHost,
    }),
    optionOf({
      flags: "--port <port>",
      about: "the port to listen on; 0 for any free port",
      env: "PORT",
      usual: 8080,
      read: toWhole({ least: 0, most: 65_535 }),
    }),
  ];
}

function workersOption(): Option {
  return optionOf({
    flags: "--workers <number>",
    about: "the number of worker processes behind one port; they need a shared store",
    env: "SPILLWAY_WORKERS",
    usual: 1,
    read: toWhole({ least: 1, most: 64 }),
  });
}

/** Creates the options for outages of the store. */
export function outageOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--when-unavailable <policy>",
      about:
        "what limits do while the store gives no answer: refuse (closed), admit (open), " +
        "count in this process (local), or refuse over HTTP and fail over gRPC (error)",
      env: "SPILLWAY_WHEN_UNAVAILABLE",
      usual: "closed",
      read: toPolicy,
    }),
    optionOf({
      flags: "--instances <number>",
      about: "the number of services that share the limits, for --when-unavailable local",
      env: "SPILLWAY_INSTANCES",
      usual: 1,
      read: toWhole({ least: 1, most: 10_000 }),
    }),
    optionOf({
      flags: "--deadline <ms>",
      about:
        "how long to wait for the store's answer, in milliseconds. Default: 50 for Redis, 250 " +
        "for Postgres",
      env: "SPILLWAY_DEADLINE",
      read: toWhole({ least: 1, most: 60_000 }),
    }),
  ];
}

function toPolicy(text: string): ServedPolicy {
  const policy = POLICIES.find((one) => one === text);
  if (policy !== undefined) return policy;
  throw new InvalidArgumentError(`Expected one of ${POLICIES.join(", ")}.`);
}
