import { limitOf, OVERFLOW, planFor } from "../../limits/algorithms/index.ts";
import { checkLimit, type Plan } from "../../limits/core/index.ts";
import { RowError } from "./rows.ts";

/** The maximum number of plans to cache before the cache is cleared. Each takes about 500 bytes. */
const MOST = 1000;

/**
 * The text of the overflow record, for definitions beyond the maximum that are kept. No limit has
 * this text.
 */
const OVERFLOW_TEXT = "overflow";

/**
 * Converts the definitions of limits to the text in a row, which is JSON, and back.
 *
 * Two plans have the same text if, and only if, they agree.
 */
export class DefinitionTexts {
  readonly #texts = new WeakMap<Plan, string>();
  readonly #plans = new Map<string, Plan>();

  /** Returns the text of a plan. */
  text(plan: Plan): string {
    if (plan === OVERFLOW) return OVERFLOW_TEXT;
    const known = this.#texts.get(plan);
    if (known !== undefined) return known;
    const text = JSON.stringify(limitOf(plan));
    this.#texts.set(plan, text);
    return text;
  }

  /** Returns the plan of a text. @throws RowError if the text is not a limit. */
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
    throw new RowError(`a row whose definition is not a limit: ${text}`, { cause });
  }
}
