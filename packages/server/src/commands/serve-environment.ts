/** What the environment alone says of a service: there are no options for it. */
import { type Command, InvalidArgumentError } from "commander";
import type { HeaderNames } from "../envoy/index.ts";
import { checkToken, TokenError, type Tokens } from "../transports/http-api/index.ts";
import { CommandError } from "./command-error.ts";
import { headerNamesIn } from "./envoy-options.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { SentinelAccess } from "./store/redis-client.ts";
import { toStorePlace } from "./store/store-option.ts";
import { namesOfRedisIn, sentinelAccessIn, storeUrlIn } from "./upstream-store.ts";
import { type Environment, readVariable, toBoolean } from "./variable.ts";

export type ServeEnvironment = {
  readonly tokens: Tokens;
  readonly headerNames: HeaderNames;
  /** Whether gRPC is to be served by TLS; undefined: where there are certificates. */
  readonly useTls: boolean | undefined;
  /** Where envoyproxy/ratelimit would serve metrics; undefined where it would not. */
  readonly prometheus: Place | undefined;
  /** The part of a limit from which on hits are near it, from 0 to 1. */
  readonly nearRatio: number;
  readonly sentinels: SentinelAccess;
  /** Those that name a Redis, and do nothing, for another store is named. */
  readonly unusedOfStore: readonly string[];
};

type Place = { readonly host: string | undefined; readonly port: number };

/**
 * The options of a command, with all that the environment says beside them: read before anything begins. Pure.
 *
 * @throws CommandError `bad-variable`, `bad-token`, `bad-tls`, `bad-store`
 */
export function completeOptions(command: Command, env: Environment): ServeOptions {
  const options = { ...command.opts<ServeOptions>(), ...readServeEnvironment(env) };
  checkClientsSaid(options, env);
  // What upstream's variables say of a store holds where nothing else names one.
  if (command.getOptionValueSource("store") !== "default") {
    checkEncrypted(options, env);
    return { ...options, unusedOfStore: namesOfRedisIn(env) };
  }
  const url = storeUrlIn(env);
  return url === undefined ? options : { ...options, store: toStorePlace(url) };
}

function readServeEnvironment(env: Environment): ServeEnvironment {
  const isPrometheusUsed = readVariable(env, { name: "USE_PROMETHEUS", read: toBoolean });
  const place = readVariable(env, { name: "PROMETHEUS_ADDR", read: toPlace }) ?? UPSTREAM_PLACE;
  return {
    tokens: tokensIn(env),
    headerNames: headerNamesIn(env),
    useTls: readVariable(env, { name: "GRPC_SERVER_USE_TLS", read: toBoolean }),
    prometheus: isPrometheusUsed === true ? place : undefined,
    nearRatio: readVariable(env, { name: "NEAR_LIMIT_RATIO", read: toRatio }) ?? USUAL_RATIO,
    sentinels: sentinelAccessIn(env),
    unusedOfStore: [],
  };
}

/** What could not be read of an authority or a name must not leave a service open to all clients. */
function checkClientsSaid({ tlsCert, tlsClientCa, tlsClientSan }: ServeOptions, env: Environment) {
  if (tlsCert === undefined) return;
  const said = { GRPC_CLIENT_TLS_CACERT: tlsClientCa, GRPC_CLIENT_TLS_SAN: tlsClientSan };
  for (const [name, value] of Object.entries(said)) {
    if (value !== undefined || env[name] !== "") continue;
    const detail = `${name} is empty, so that more clients would be served`;
    throw new CommandError("bad-tls", `${detail}; say it, or leave it out`);
  }
}

/** Whoever says that Redis is reached by TLS, does not want to send passwords and keys in plaintext to another one. */
function checkEncrypted({ store }: ServeOptions, env: Environment): void {
  if (typeof store !== "object" || !("tls" in store) || store.tls) return;
  const isTls = readVariable(env, { name: "REDIS_TLS", read: toBoolean }) === true;
  if (!isTls) return;
  const detail = "REDIS_TLS is true, and the store that is named begins with redis, not rediss";
  throw new CommandError("bad-store", `${detail}; make the two say the same`);
}

const UPSTREAM_PLACE: Place = { host: undefined, port: 9090 };
const USUAL_RATIO = 0.8;

/** One that is empty was meant to be there: a secret that could not be read must not leave a service open. */
function tokensIn(env: Environment): Tokens {
  const tokenIn = (name: string) => {
    const token = env[name];
    if (token !== undefined) checkToken({ name, token });
    return token;
  };
  try {
    return {
      adminToken: tokenIn("SPILLWAY_ADMIN_TOKEN"),
      storeToken: tokenIn("SPILLWAY_STORE_TOKEN"),
      metricsToken: tokenIn("SPILLWAY_METRICS_TOKEN"),
    };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw new CommandError(error.code, error.message);
  }
}

/** As Go writes an address: `:9090`, `127.0.0.1:9090` or `[::1]:9090`. */
function toPlace(text: string): Place {
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
