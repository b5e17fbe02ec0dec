/** Builds the URL of a store from envoyproxy/ratelimit's environment. Pure. */
import { CommandError } from "../command-error.ts";
import type { SentinelAccess } from "../places/index.ts";
import { type Environment, readVariable, toBoolean } from "./variable.ts";

/**
 * Returns the URL for `--store`; undefined if the environment names no Redis.
 *
 * @throws CommandError `bad-store` if it names an unusable one; `bad-variable`
 */
export function storeUrlIn(env: Environment): string | undefined {
  const { REDIS_URL: url, REDIS_AUTH: auth } = env;
  const isTls = readVariable(env, { name: "REDIS_TLS", read: toBoolean }) === true;
  const type = typeIn(env);
  checkBackend(env, { isTls });
  if (!url) return undefined;
  if (url.startsWith("/") || url.startsWith("unix:") || env.REDIS_SOCKET_TYPE === "unix") {
    throw bad("REDIS_URL", "Unix sockets are not supported; pass host and port with --store");
  }
  if (/^rediss?:\/\//.test(url)) return completed(url, { type, auth, isTls });
  const scheme = isTls ? "rediss" : "redis";
  const login = auth ? `${loginOf(auth)}@` : "";
  if (type === "cluster") return `${scheme}+cluster://${login}${url}`;
  if (type === "single") return `${scheme}://${login}${url}`;
  const [master = "", ...sentinels] = url.split(",");
  return `${scheme}+sentinel://${login}${sentinels.join(",")}/${encodeURIComponent(master)}`;
}

/**
 * Returns the login for the sentinels of a Redis. `REDIS_SENTINEL_AUTH` is upstream's variable,
 * with or without a user. Pure.
 */
export function sentinelAccessIn(env: Environment): SentinelAccess {
  const { SPILLWAY_SENTINEL_PASSWORD: own, REDIS_SENTINEL_AUTH: upstream } = env;
  if (own) return { username: undefined, password: own };
  const [user, password] = partsOf(upstream || "");
  return { username: user || undefined, password: password || undefined };
}

/** Returns the set variables that describe a Redis or its connection. Pure. */
export function namesOfRedisIn(env: Environment): readonly string[] {
  return ["REDIS_URL", ...OF_REDIS, "REDIS_TLS"].filter((name) => env[name]);
}

const TYPES = ["single", "cluster", "sentinel"];
const SOCKET_TYPES = ["tcp", "unix"];
/** Variables that describe a Redis without naming it. */
const OF_REDIS = ["BACKEND_TYPE", "REDIS_TYPE", "REDIS_SOCKET_TYPE", "REDIS_AUTH"] as const;

type OfRedis = "REDIS_URL" | "REDIS_TLS" | (typeof OF_REDIS)[number];

function typeIn({ REDIS_TYPE: text }: Environment): string {
  const type = text?.toLowerCase() || "single";
  if (TYPES.includes(type)) return type;
  throw bad("REDIS_TYPE", "expected SINGLE, CLUSTER or SENTINEL");
}

/** An operator who describes the connection to a Redis does not want state in memory. */
function checkBackend(env: Environment, { isTls }: { readonly isTls: boolean }): void {
  const { BACKEND_TYPE: backend = "", REDIS_SOCKET_TYPE: socket = "" } = env;
  if (backend === "memcache") throw bad("BACKEND_TYPE", "memcached is not supported as a store");
  if (backend !== "" && backend !== "redis") throw bad("BACKEND_TYPE", "expected redis");
  if (socket !== "" && !SOCKET_TYPES.includes(socket))
    throw bad("REDIS_SOCKET_TYPE", "expected tcp");
  const named = isTls ? "REDIS_TLS" : OF_REDIS.find((name) => env[name]);
  if (env.REDIS_URL || named === undefined) return;
  throw bad(named, "REDIS_URL is not set; set it, or pass the store with --store");
}

type UrlCompletion = {
  readonly type: string;
  readonly auth: string | undefined;
  readonly isTls: boolean;
};

/** Adds the settings of other variables to the URL of one server. */
function completed(url: string, { type, auth, isTls }: UrlCompletion): string {
  if (type !== "single") {
    throw bad("REDIS_URL", `with REDIS_TYPE ${type}, expected hosts with commas between them`);
  }
  const [, scheme = "", rest = ""] = /^(rediss?):\/\/(.*)$/s.exec(url) ?? [];
  const login = auth && !rest.includes("@") ? `${loginOf(auth)}@` : "";
  return `${isTls ? "rediss" : scheme}://${login}${rest}`;
}

/** Parses `password`, or `user:password`. */
function loginOf(auth: string): string {
  const [user, password] = partsOf(auth);
  return `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
}

function partsOf(auth: string): readonly [user: string, password: string] {
  const colon = auth.indexOf(":");
  return colon < 0 ? ["", auth] : [auth.slice(0, colon), auth.slice(colon + 1)];
}

function bad(name: OfRedis, why: string): CommandError {
  return new CommandError("bad-store", `${name}: ${why}`);
}
