/** Commands other than asks: the store carries them out, and the state held here follows. */
import { after } from "../../internal/index.ts";
import type { Answer, Command, CommandOf, Timing, Value } from "../../limits/core/index.ts";
import type { LentKey } from "./lent-key.ts";
import type { LentUnits } from "./lent-units.ts";

/** Carries out a command on a key in recent use. */
export function onKey<M extends Timing>(
  command: Command,
  key: LentKey,
  units: LentUnits<M>,
): Answer<M, unknown> {
  switch (command.verb) {
    case "value":
      return withHeld(command, key, units);
    case "settle":
      return reported(key, units, () => withHeld(command, key, units));
    case "block":
      units.giveBack(key);
      key.shortage.forget();
      break;
    case "reset":
      return reported(key, units, () => units.pass(command));
    case "unblock":
      key.shortage.forget();
  }
  return units.pass(command);
}

/**
 * Carries out a command whose result depends on units used here. The store must have received the
 * report first.
 */
function reported<M extends Timing, T>(
  key: LentKey,
  units: LentUnits<M>,
  carryOut: () => Answer<M, T>,
): Answer<M, T> {
  const next = () => {
    key.shortage.forget();
    return carryOut();
  };
  const report = () => (key.loan.hasNews ? after(units.timing, units.report(key), next) : next());
  return key.flight === undefined ? report() : (key.flight.then(report) as Answer<M, T>);
}

function withHeld<M extends Timing>(
  command: CommandOf<"value" | "settle">,
  { holder }: LentKey,
  units: LentUnits<M>,
): Answer<M, Value> {
  const answer = units.pass(command) as Answer<M, Value>;
  return after(units.timing, answer, (value) => {
    holder.dropEnded(units.now());
    const remaining = Math.min(value.capacity, value.remaining + holder.units);
    return value.blockedFor > 0 ? value : { ...value, remaining };
  });
}
