import { CommandError } from "../command-error.ts";
import { type RedisPlace, readRedisUrl, UrlError } from "./redis-url.ts";
import { shownUrl } from "./shown-url.ts";

/** Where state lives. */
export type StorePlace = "memory" | RedisPlace;

/**
 * Reads what `--store` says. Pure.
 *
 * @throws CommandError `bad-store`. No message shows a password, so it is never left to the command
 *   line's own errors, which show all.
 */
export function toStorePlace(text: string): StorePlace {
  if (text === "memory") return text;
  try {
    return readRedisUrl(text);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    const found = `--store, or SPILLWAY_STORE, is ${shownUrl(text)}`;
    throw new CommandError("bad-store", `${found}, expected ${error.message}`);
  }
}
