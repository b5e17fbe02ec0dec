import type { Ask, Command, Decision, Verb } from "../../limits/core/index.ts";

const LOOKS: ReadonlySet<Verb> = new Set(["check", "value", "peek"]);

/**
 * Answers commands for a store that accepts no writes.
 *
 * Commands that only read are answered, and so are refusals that count towards no penalty. A
 * command that writes fails, and so does each later command on the same budgets.
 */
export class RefusedWrites {
  readonly #error: Error;
  /** The indexes of budgets on which a command has failed. */
  readonly #failed = new Set<number>();

  constructor(error: Error) {
    this.#error = error;
  }

  /**
   * Returns the answer to a command, if it can be computed without a write.
   *
   * @param look Carries out a command that changes nothing.
   * @throws Error the reason why the store accepts no writes
   */
  execute(
    command: Command,
    places: readonly number[],
    look: (command: Command) => unknown,
  ): unknown {
    const isKnown = !places.some((place) => this.#failed.has(place));
    if (isKnown && LOOKS.has(command.verb)) return look(command);
    if (isKnown && command.verb === "limit") {
      const decisions = look({ ...command, verb: "check" }) as readonly Decision[];
      const counts = command.budgets.some((ask, index) => isCounted(ask, decisions[index]));
      if (!counts && !decisions.every(({ ok }) => ok)) return decisions;
    }
    for (const place of places) this.#failed.add(place);
    throw this.#error;
  }
}

/** Whether a decision is a refusal that has to be written, because it counts towards a penalty. */
function isCounted({ settings }: Ask, decision: Decision | undefined): boolean {
  const isOfLimit = decision?.reason === "limited" || decision?.reason === "too large";
  return settings?.penalty !== undefined && isOfLimit;
}
