/** Reads the usage of a request from the answer of a language model's API. */
import type { Counts } from "./counts.ts";

/** The numbers of a `usage` object, by the names of OpenAI and Anthropic. */
export type UsageObject = { readonly [field: string]: unknown };

/**
 * Merges a `usage` object into the earlier ones of a stream: the last value of each number holds.
 * Pure.
 */
export function mergedUsage(known: UsageObject | undefined, usage: UsageObject): UsageObject {
  const numbers = Object.entries(usage).filter(([, value]) => typeof value === "number");
  return { ...known, ...Object.fromEntries(numbers) };
}

/**
 * Returns the units by the names of quotas; undefined if no tokens are reported. Pure.
 *
 * Anthropic reports tokens read from a prompt cache in a field of its own. They do not count
 * towards its limits, and are left out.
 */
export function usedBy(usage: UsageObject | undefined): Counts | undefined {
  const input = numberOf(usage, "prompt_tokens", "input_tokens");
  const output = numberOf(usage, "completion_tokens", "output_tokens");
  const total = numberOf(usage, "total_tokens");
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const written = (input ?? 0) + (numberOf(usage, "cache_creation_input_tokens") ?? 0);
  return {
    tokens: total ?? written + (output ?? 0),
    ...(input !== undefined && { "input-tokens": written }),
    ...(output !== undefined && { "output-tokens": output }),
  };
}

function numberOf(
  usage: UsageObject | undefined,
  ...fields: readonly string[]
): number | undefined {
  const values = fields.map((field) => usage?.[field]);
  const isCount = (value: unknown) => typeof value === "number" && value >= 0 && value < 1e12;
  return values.find(isCount) as number | undefined;
}
