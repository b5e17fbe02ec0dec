/** Commands that ask for no units: the store carries them out, and what is known and held here follows. */
import type { Answer, Command, CommandOf, Mode, Value } from "../../core/index.ts";
import { after } from "../../internal/index.ts";
import type { Draws } from "./draws.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentStore } from "./lent-store.ts";

type Parts<M extends Mode> = { readonly store: LentStore<M>; readonly draws: Draws<M> };

/** Carries out a command on a key that was asked for lately. */
export function onKey<M extends Mode>(
  command: Command,
  key: LentKey,
  parts: Parts<M>,
): Answer<M, unknown> {
  const { store, draws } = parts;
  switch (command.verb) {
    case "value":
      return withHeld(command, key, store);
    case "settle":
      return reported(key, parts, () => withHeld(command, key, store));
    case "block":
      draws.giveBack(key);
      key.shortage.forget();
      break;
    case "reset":
      return reported(key, parts, () => store.pass(command));
    case "unblock":
      key.shortage.forget();
  }
  return store.pass(command);
}

/** Carries out what depends on what was used here: the store has to know of it. */
function reported<M extends Mode, T>(
  key: LentKey,
  { store, draws }: Parts<M>,
  carryOut: () => Answer<M, T>,
): Answer<M, T> {
  const next = () => {
    key.shortage.forget();
    return carryOut();
  };
  return key.hasNews ? after(store.mode, draws.report(key), next) : next();
}

function withHeld<M extends Mode>(
  command: CommandOf<"value" | "settle">,
  { holder }: LentKey,
  store: LentStore<M>,
): Answer<M, Value> {
  const answer = store.pass(command) as Answer<M, Value>;
  return after(store.mode, answer, (value) => {
    holder.dropEnded(store.now());
    const remaining = Math.min(value.capacity, value.remaining + holder.units);
    return value.blockedFor > 0 ? value : { ...value, remaining };
  });
}
