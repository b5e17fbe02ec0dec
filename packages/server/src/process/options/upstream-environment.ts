/**
 * Reads the environment of envoyproxy/ratelimit, which operators who move from it have set.
 * Variables with a meaning here are used; a warning names all others. All functions are pure.
 */
import { join } from "node:path";
import type { Environment } from "./variable.ts";

/** Variables that are used, with the option that each stands for. */
export const UNDERSTOOD: ReadonlyMap<string, string> = new Map([
  ["HOST", "--host"],
  ["PORT", "--port"],
  ["GRPC_HOST", "--grpc-host"],
  ["GRPC_PORT", "--grpc-port"],
  ["GRPC_MAX_CONNECTION_AGE", "--grpc-max-connection-age"],
  ["GRPC_MAX_CONNECTION_AGE_GRACE", "--grpc-grace"],
  ["GRPC_SERVER_USE_TLS", "whether --tls-cert and --tls-key are required"],
  ["GRPC_SERVER_TLS_CERT", "--tls-cert"],
  ["GRPC_SERVER_TLS_KEY", "--tls-key"],
  ["GRPC_CLIENT_TLS_CACERT", "--tls-client-ca"],
  ["GRPC_CLIENT_TLS_SAN", "--tls-client-san"],
  ["RUNTIME_ROOT", "the paths"],
  ["RUNTIME_SUBDIRECTORY", "the paths"],
  ["RUNTIME_APPDIRECTORY", "the paths"],
  ["MERGE_DOMAIN_CONFIG", "--merge-domains"],
  ["STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT", "--charge-refused, if it is false"],
  ["SHADOW_MODE", "--shadow"],
  ["QUOTA_MODE", "--quota"],
  ["LIMIT_RESPONSE_HEADERS_ENABLED", "--response-headers"],
  ["LIMIT_LIMIT_HEADER", "--response-headers"],
  ["LIMIT_REMAINING_HEADER", "--response-headers"],
  ["LIMIT_RESET_HEADER", "--response-headers"],
  ["RESPONSE_DYNAMIC_METADATA", "--dynamic-metadata"],
  ["BACKEND_TYPE", "--store"],
  ["REDIS_TYPE", "--store"],
  ["REDIS_SOCKET_TYPE", "--store"],
  ["REDIS_URL", "--store"],
  ["REDIS_AUTH", "--store"],
  ["REDIS_SENTINEL_AUTH", "--store"],
  ["REDIS_TLS", "--store"],
  ["LOG_LEVEL", "--log-level"],
  ["LOG_FORMAT", "--log-format"],
  ["USE_PROMETHEUS", "--metrics-port and --upstream-metrics"],
  ["PROMETHEUS_ADDR", "--metrics-port, if USE_PROMETHEUS is true"],
  ["NEAR_LIMIT_RATIO", "--upstream-metrics"],
]);

/** Variables without effect, with the reason. A `*` at the end stands for any rest of the name. */
export const MEANINGLESS: ReadonlyMap<string, string> = new Map([
  ["DEBUG_HOST", "there is no debug port"],
  ["DEBUG_PORT", "there is no debug port"],
  ["GRPC_UDS", "gRPC listens on addresses only"],
  ["CONFIG_TYPE", "rules come from files"],
  ["FORCE_START_WITHOUT_INITIAL_CONFIG", "rules come from files"],
  ["CONFIG_GRPC_XDS_*", "rules come from files"],
  ["XDS_CLIENT_*", "rules come from files"],
  ["USE_DOG_STATSD", "no statistics are sent"],
  ["USE_DOG_STATSD_MOGRIFIERS", "no statistics are sent"],
  ["USE_STATSD", "no statistics are sent"],
  ["STATSD_HOST", "no statistics are sent"],
  ["STATSD_PORT", "no statistics are sent"],
  ["EXTRA_TAGS", "no statistics are sent"],
  ["STATS_FLUSH_INTERVAL", "no statistics are sent"],
  ["DISABLE_STATS", "no statistics are sent"],
  ["PROMETHEUS_PATH", "it is always /metrics"],
  ["PROMETHEUS_MAPPER_YAML", "labels are domain, key1 and key2"],
  ["PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS", "times are in seconds"],
  ["RUNTIME_IGNOREDOTFILES", "files whose names begin with a dot are never read"],
  ["RUNTIME_WATCH_ROOT", "files and symbolic links are both watched"],
  ["EXPIRATION_JITTER_MAX_SECONDS", "a key expires once it holds no usage"],
  ["LOCAL_CACHE_SIZE_IN_BYTES", "refusals are always remembered while they stand"],
  ["CACHE_KEY_PREFIX", "give services that must not share limits a database each"],
  ["HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED", "the service does not start without rules"],
  ["REDIS_POOL_*", "one connection carries all commands"],
  ["REDIS_PIPELINE_*", "commands of one event-loop turn are always sent together"],
  [
    "REDIS_CLUSTER_PIPELINE_PARALLELISM",
    "commands of one event-loop turn are always sent together",
  ],
  ["REDIS_TIMEOUT", "--deadline sets how long to wait for the store's answer"],
  ["REDIS_HEALTH_CHECK_ACTIVE_CONNECTION", "/healthcheck reports whether the store answers"],
  ["REDIS_STARTUP_*", "the service starts before its store answers"],
  ["REDIS_PERSECOND*", "one store keeps all limits"],
  ["REDIS_TLS_*", "NODE_EXTRA_CA_CERTS adds authorities"],
  ["MEMCACHE_*", "memcached is not supported as a store"],
  ["TRACING_*", "the OTEL_ variables of OpenTelemetry configure traces"],
]);

/** Returns a line for each reason, with the set variables that have no effect. */
export function meaninglessIn(env: Environment): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const name of Object.keys(env).sort()) {
    const reason = env[name] ? reasonOf(name) : undefined;
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  return [...byReason].map(([reason, names]) => doNothing(names, reason));
}

/** Formats a line for set variables that have no effect. Pure. */
export function doNothing(names: readonly string[], reason: string): string {
  const verb = names.length === 1 ? "does" : "do";
  return `${names.join(", ")} ${verb} nothing here: ${reason}`;
}

/**
 * Returns the directory of rule files that the environment names; an empty list if it names none.
 */
export function runtimePaths(env: Environment): readonly string[] {
  const { RUNTIME_ROOT: root, RUNTIME_SUBDIRECTORY: directory = "" } = env;
  const { RUNTIME_APPDIRECTORY: app = "config" } = env;
  return root ? [join(root, directory, app)] : [];
}

function reasonOf(name: string): string | undefined {
  if (UNDERSTOOD.has(name)) return undefined;
  const exact = MEANINGLESS.get(name);
  if (exact !== undefined) return exact;
  for (const [pattern, reason] of MEANINGLESS) {
    if (pattern.endsWith("*") && name.startsWith(pattern.slice(0, -1))) return reason;
  }
  return undefined;
}
