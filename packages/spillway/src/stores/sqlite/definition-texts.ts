import { limitOf, OVERFLOW, planFor } from "../../limits/algorithms/index.ts";
import { checkLimit, type Plan } from "../../limits/core/index.ts";
import { RowError } from "./rows.ts";

/** Definitions to remember before starting over; each costs some 500 bytes. */
const MOST = 1000;

/** The text of the record of definitions that found no place: no limit can be defined so. */
const OVERFLOW_TEXT = "overflow";

/**
 * The definitions that states were written under, as a row keeps them: a limit in JSON. Two plans have
 * one text if, and only if, they agree.
 */
export class DefinitionTexts {
  readonly #texts = new WeakMap<Plan, string>();
  readonly #plans = new Map<string, Plan>();

  /** The text of a plan. */
  text(plan: Plan): string {
    if (plan === OVERFLOW) return OVERFLOW_TEXT;
    const known = this.#texts.get(plan);
    if (known !== undefined) return known;
    const text = JSON.stringify(limitOf(plan));
    this.#texts.set(plan, text);
    return text;
  }

  /** The plan of a text. @throws RowError where it is not one. */
  plan(text: string): Plan {
    if (text === OVERFLOW_TEXT) return OVERFLOW;
    const known = this.#plans.get(text);
    if (known !== undefined) return known;
    const plan = planOf(text);
    if (this.#plans.size >= MOST) this.#plans.clear();
    this.#plans.set(text, plan);
    return plan;
  }
}

function planOf(text: string): Plan {
  const name = "of the row";
  try {
    const limit: unknown = JSON.parse(text);
    checkLimit(name, limit);
    return planFor(name, limit);
  } catch (cause) {
    throw new RowError(`a row whose definition is no limit: ${text}`, { cause });
  }
}
