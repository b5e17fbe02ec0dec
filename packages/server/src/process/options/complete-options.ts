/** Completes the options of a command line by the environment. */
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { toStorePlace } from "../places/index.ts";
import { checkAdmin } from "./admin-options.ts";
import { readServeEnvironment } from "./serve-environment.ts";
import type { ServeOptions } from "./serve-options.ts";
import { namesOfRedisIn, storeUrlIn } from "./upstream-store.ts";
import { type Environment, readVariable, toBoolean } from "./variable.ts";

/**
 * Returns the options of a command, including all settings of the environment, before anything
 * starts. Pure.
 *
 * @throws CommandError `bad-variable`, `bad-token`, `bad-tls`, `bad-store`
 */
export function completeOptions(command: Command, env: Environment): ServeOptions {
  const options = { ...command.opts<ServeOptions>(), ...readServeEnvironment(env) };
  checkClientsSaid(options, env);
  checkAdmin(options);
  // Upstream's variables for a store apply only if nothing else names one.
  if (command.getOptionValueSource("store") !== "default") {
    checkEncrypted(options, env);
    return { ...options, unusedOfStore: namesOfRedisIn(env) };
  }
  const url = storeUrlIn(env);
  return url === undefined ? options : { ...options, store: toStorePlace(url) };
}

/** An authority or a name that could not be read must not leave a service open to all clients. */
function checkClientsSaid({ tlsCert, tlsClientCa, tlsClientSan }: ServeOptions, env: Environment) {
  if (tlsCert === undefined) return;
  const said = { GRPC_CLIENT_TLS_CACERT: tlsClientCa, GRPC_CLIENT_TLS_SAN: tlsClientSan };
  for (const [name, value] of Object.entries(said)) {
    if (value !== undefined || env[name] !== "") continue;
    const detail = `${name} is empty, which would admit more clients`;
    throw new CommandError("bad-tls", `${detail}; give it a value, or unset it`);
  }
}

/**
 * An operator who demands TLS for Redis does not want passwords and keys sent in plaintext to
 * another one.
 */
function checkEncrypted({ store }: ServeOptions, env: Environment): void {
  if (typeof store !== "object" || !("tls" in store) || store.tls) return;
  const isTls = readVariable(env, { name: "REDIS_TLS", read: toBoolean }) === true;
  if (!isTls) return;
  const detail = "REDIS_TLS is true, but the store's URL begins with redis, expected rediss";
  throw new CommandError("bad-store", `${detail}; change one of the two`);
}
