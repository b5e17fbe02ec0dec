import { Steps } from "../../algorithms/index.ts";
import type { Command, Observer, State } from "../../core/index.ts";
import type { Outcome } from "../resilient/executor.ts";
import { PortError } from "./port-error.ts";

/** What came back for the commands of one request. */
export type Reply = {
  /** The store's time, in milliseconds since 1970. */
  readonly now: number;
  /** How many budgets were charged: what the caller's own arithmetic has to agree with. */
  readonly charged: number;
  /**
   * The state of the nth budget of the nth command, as it was before the request: the same view for
   * the same budget, so that what one command writes the next one sees.
   *
   * @throws Error where there is none to be had, for that command alone.
   */
  state(command: number, budget: number): State;
};

/**
 * Works out the answers to commands from the states as they were before them, as the store has done:
 * the same pure steps in the same order at the same instant.
 *
 * @throws PortError where the store charged otherwise.
 */
export function replay(
  commands: readonly Command[],
  reply: Reply,
  observer: Observer | undefined,
): readonly Outcome[] {
  let index = 0;
  let charged = 0;
  const steps = new Steps((budget) => {
    const { budgets } = commands[index] as Command;
    return reply.state(index, (budgets as readonly unknown[]).indexOf(budget));
  }, observer);
  const outcomes = commands.map((command, at): Outcome => {
    index = at;
    try {
      const answer = steps.execute(command, reply.now);
      if (command.verb === "limit") charged += chargedBy(answer as readonly { ok: boolean }[]);
      return { answer };
    } catch (error) {
      return { error: error as Error };
    }
  });
  if (charged === reply.charged) return outcomes;
  throw new PortError(`${reply.charged} budgets charged, expected ${charged}`);
}

/** How many budgets were charged: all, or none. */
function chargedBy(decisions: readonly { readonly ok: boolean }[]): number {
  return decisions.every(({ ok }) => ok) ? decisions.length : 0;
}
