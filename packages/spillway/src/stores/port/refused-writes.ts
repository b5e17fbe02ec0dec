import type { Command, Decision, Verb } from "../../limits/core/index.ts";

const LOOKS: ReadonlySet<Verb> = new Set(["check", "value", "peek"]);

/**
 * Answers of a store that takes no writes: those that are found by reading, refusals among them. A command
 * that writes fails, and so does what comes after it on the same budgets.
 */
export class RefusedWrites {
  readonly #error: Error;
  /** The places of budgets that a command has failed on. */
  readonly #failed = new Set<number>();

  constructor(error: Error) {
    this.#error = error;
  }

  /**
   * The answer to a command, where it is one that reads.
   *
   * @param look Carries out a command that changes nothing.
   * @throws Error why the store takes no writes
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
      if (!decisions.every(({ ok }) => ok)) return decisions;
    }
    for (const place of places) this.#failed.add(place);
    throw this.#error;
  }
}
