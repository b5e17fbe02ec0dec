/** Where envoyproxy/ratelimit keeps its counters, by its environment, as the URL of a store. Pure. */
import { CommandError } from "./command-error.ts";
import { isOn } from "./envoy-options.ts";
import type { Environment } from "./upstream-environment.ts";

/**
 * The URL that `--store` would take; undefined where the environment names no Redis.
 *
 * @throws CommandError `bad-store` where it names one that can't be used
 */
export function storeUrlOf(env: Environment): string | undefined {
  if (env.BACKEND_TYPE === "memcache") throw bad("BACKEND_TYPE", "there is no store on memcached");
  const { REDIS_URL: url, REDIS_TYPE: type = "SINGLE", REDIS_AUTH: auth } = env;
  if (!url) return undefined;
  if (/^rediss?:\/\//.test(url)) return url;
  if (url.startsWith("/") || url.startsWith("unix:")) {
    throw bad("REDIS_URL", "a Redis is reached by host and port; write it as --store");
  }
  const scheme = isOn(env.REDIS_TLS) ? "rediss" : "redis";
  const login = auth ? `${loginOf(auth)}@` : "";
  if (type.toUpperCase() === "CLUSTER") return `${scheme}+cluster://${login}${url}`;
  if (type.toUpperCase() !== "SENTINEL") return `${scheme}://${login}${url}`;
  const [master = "", ...sentinels] = url.split(",");
  return `${scheme}+sentinel://${login}${sentinels.join(",")}/${encodeURIComponent(master)}`;
}

/** `password`, or `user:password`. */
function loginOf(auth: string): string {
  const colon = auth.indexOf(":");
  if (colon < 0) return `:${encodeURIComponent(auth)}`;
  return `${encodeURIComponent(auth.slice(0, colon))}:${encodeURIComponent(auth.slice(colon + 1))}`;
}

function bad(name: string, why: string): CommandError {
  return new CommandError("bad-store", `${name}: ${why}`);
}
