/** What an API of a language model says that a request has used. */
import type { Counts } from "./counts.ts";

/** The numbers of a `usage` object, as OpenAI and Anthropic name them. */
export type UsageObject = { readonly [field: string]: unknown };

/** Several of one stream say it in parts: the last one of each number holds. Pure. */
export function mergedUsage(known: UsageObject | undefined, usage: UsageObject): UsageObject {
  const numbers = Object.entries(usage).filter(([, value]) => typeof value === "number");
  return { ...known, ...Object.fromEntries(numbers) };
}

/**
 * Units by the names of the quotas; undefined where it is no usage of tokens. Pure.
 *
 * What is read from a cache of prompts has a field of its own at Anthropic, and does not count there.
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
