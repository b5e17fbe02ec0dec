/** Options of a command line, completed by the environment. */
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { toStorePlace } from "../places/index.ts";
import { readServeEnvironment } from "./serve-environment.ts";
import type { ServeOptions } from "./serve-options.ts";
import { namesOfRedisIn, storeUrlIn } from "./upstream-store.ts";
import { type Environment, readVariable, toBoolean } from "./variable.ts";

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

/** An authority or a name that could not be read must not leave a service open to all clients. */
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
