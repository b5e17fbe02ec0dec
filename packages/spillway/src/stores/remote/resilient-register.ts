/**
 * The register of an executor that may be slow or unavailable.
 *
 * Its failures are thrown as `unavailable`, never answered without the store. Misuse is thrown
 * unchanged, such as a table that is missing. There is no breaker: calls are few, and none waits
 * longer than its deadline.
 */
import {
  type RegisterAnswer,
  type RegisterCommand,
  SpillwayError,
  type Store,
  type Timing,
} from "../../limits/core/index.ts";
import type { Executor } from "../port/executor.ts";
import { errorFrom } from "./checked-executor.ts";
import { Deadlines, LateError } from "./deadlines.ts";
import { unavailable } from "./fallback.ts";
import type { ResilienceSettings } from "./options.ts";

/** The register of a store, if it has one. */
export type OptionalRegister<M extends Timing> = Store<M>["register"];

/** Returns a register that answers at once. */
export function registerNow(executor: Executor<"now">): OptionalRegister<"now"> {
  const { register } = executor;
  if (register === undefined) return undefined;
  return (command) => {
    try {
      return register.call(executor, command, () => false) as RegisterAnswer<typeof command>;
    } catch (error) {
      throw failed(command, error);
    }
  };
}

/** Returns a register that answers later. */
export function registerLater(
  executor: Executor<"later">,
  { deadline, firstDeadline, scheduler }: ResilienceSettings,
): OptionalRegister<"later"> {
  if (executor.register === undefined) return undefined;
  const deadlines = new Deadlines(deadline, scheduler, firstDeadline);
  return (command) =>
    new Promise((resolve, reject) => {
      const wait = deadlines.start(() => {
        const ms = Math.round(wait.until - wait.from);
        reject(failed(command, new LateError(ms, executor.trouble?.())));
      });
      sent(executor, command, () => wait.over).then(
        (answer) => {
          deadlines.hasAnswered = true;
          if (deadlines.end(wait)) resolve(answer);
        },
        (error: unknown) => {
          if (deadlines.end(wait)) reject(failed(command, error));
        },
      );
    });
}

/** Sends a command. An error that is thrown becomes a rejection. */
async function sent<C extends RegisterCommand>(
  executor: Executor<"later">,
  command: C,
  isLate: () => boolean,
): Promise<RegisterAnswer<C>> {
  return executor.register?.(command, isLate) as Promise<RegisterAnswer<C>>;
}

function failed({ limit }: RegisterCommand, error: unknown): SpillwayError {
  if (error instanceof SpillwayError) return error;
  return unavailable("a command of the register", errorFrom(error), limit);
}
