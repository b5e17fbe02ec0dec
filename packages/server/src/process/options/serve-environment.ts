/** Settings of a service that exist only in the environment, not as options. */
import { InvalidArgumentError } from "commander";
import type { HeaderNames } from "../../transports/envoy/index.ts";
import { checkToken, TokenError, type Tokens } from "../../transports/http-api/index.ts";
import { CommandError } from "../command-error.ts";
import type { SentinelAccess } from "../places/index.ts";
import { headerNamesIn } from "./answer-options.ts";
import { sentinelAccessIn } from "./upstream-store.ts";
import { type Environment, readVariable, toBoolean } from "./variable.ts";

export type ServeEnvironment = {
  readonly tokens: Tokens;
  /** The token to read on an administration port; undefined if it does not exist. */
  readonly adminReadToken: string | undefined;
  readonly headerNames: HeaderNames;
  /** Whether gRPC is served by TLS; undefined: if there are certificates. */
  readonly useTls: boolean | undefined;
  /** The address at which envoyproxy/ratelimit would serve metrics; undefined if it would not. */
  readonly prometheus: ListenAddress | undefined;
  /** The fraction of a limit above which hits are near it, from 0 to 1. */
  readonly nearRatio: number;
  readonly sentinels: SentinelAccess;
  /** The variables that name a Redis without effect, because another store is named. */
  readonly unusedOfStore: readonly string[];
};

type ListenAddress = { readonly host: string | undefined; readonly port: number };

/** @throws CommandError `bad-variable`, `bad-token` */
export function readServeEnvironment(env: Environment): ServeEnvironment {
  const isPrometheusUsed = readVariable(env, { name: "USE_PROMETHEUS", read: toBoolean });
  const place = readVariable(env, { name: "PROMETHEUS_ADDR", read: toPlace }) ?? UPSTREAM_PLACE;
  return {
    ...tokensIn(env),
    headerNames: headerNamesIn(env),
    useTls: readVariable(env, { name: "GRPC_SERVER_USE_TLS", read: toBoolean }),
    prometheus: isPrometheusUsed === true ? place : undefined,
    nearRatio: readVariable(env, { name: "NEAR_LIMIT_RATIO", read: toRatio }) ?? USUAL_RATIO,
    sentinels: sentinelAccessIn(env),
    unusedOfStore: [],
  };
}

const UPSTREAM_PLACE: ListenAddress = { host: undefined, port: 9090 };
const USUAL_RATIO = 0.8;

/**
 * An empty token is an error, because a secret that could not be read must not leave a service
 * open.
 */
function tokensIn(env: Environment): Pick<ServeEnvironment, "tokens" | "adminReadToken"> {
  const tokenIn = (name: string) => {
    const token = env[name];
    if (token !== undefined) checkToken({ name, token });
    return token;
  };
  try {
    const tokens = {
      adminToken: tokenIn("SPILLWAY_ADMIN_TOKEN"),
      storeToken: tokenIn("SPILLWAY_STORE_TOKEN"),
      metricsToken: tokenIn("SPILLWAY_METRICS_TOKEN"),
    };
    return { tokens, adminReadToken: tokenIn("SPILLWAY_ADMIN_READ_TOKEN") };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw new CommandError(error.code, error.message);
  }
}

/** Parses an address as Go writes it: `:9090`, `127.0.0.1:9090` or `[::1]:9090`. */
function toPlace(text: string): ListenAddress {
  const [, ipv6, name, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (Number(port) <= 65_535) return { host: host === "" ? undefined : host, port: Number(port) };
  throw new InvalidArgumentError("Expected an address such as :9090 or 127.0.0.1:9090.");
}

function toRatio(text: string): number {
  const ratio = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new InvalidArgumentError("Expected a number from 0 to 1, such as 0.8.");
}
