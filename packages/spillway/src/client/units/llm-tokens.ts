/** Estimates how many tokens a call of a language model will use, by its body. */
import type { ClientRequest } from "../requests/request.ts";
import type { Counts } from "./counts.ts";

/** The number of characters in a token, for text in European languages. */
const CHARACTERS_OF_TOKEN = 4;
/** The tokens that are assumed for an answer whose request sets no bound. */
const USUAL_OUTPUT_TOKENS = 500;
/** The tokens that are assumed for an image or a file of any size. */
const MEDIA_TOKENS = 1000;
const OUTPUT_BOUND_FIELDS = ["max_completion_tokens", "max_output_tokens", "max_tokens"] as const;
/** Fields whose text is data in base64, and no prompt. */
const BASE64_FIELDS: ReadonlySet<string> = new Set(["data", "b64_json", "file_data"]);
const DEEPEST_LEVEL = 50;

/**
 * Estimates the tokens of a request whose body is JSON for OpenAI or Anthropic: for the option
 * `count`.
 *
 * Counts one token for each four characters of its texts, and 1000 for each image or file. Adds the
 * bound that the request sets for the answer, or 500. Returns undefined for other bodies. If
 * answers are much shorter than their bounds, and the server counts their real length, use a
 * function of your own. Pure, and never throws.
 */
export function llmTokens({ body }: Pick<ClientRequest, "body">): Counts | undefined {
  const call = parsed(body);
  if (call === undefined) return undefined;
  const bound = OUTPUT_BOUND_FIELDS.map((name) => call[name]).find(
    (value) => typeof value === "number",
  );
  const output = boundedCount(typeof bound === "number" ? bound : USUAL_OUTPUT_TOKENS);
  const input = boundedCount(Math.ceil(charactersOf(call, DEEPEST_LEVEL) / CHARACTERS_OF_TOKEN));
  return { tokens: input + output, "input-tokens": input, "output-tokens": output };
}

function boundedCount(count: number): number {
  return Math.min(1e8, Math.max(0, count));
}

function parsed(body: unknown): { readonly [field: string]: unknown } | undefined {
  if (typeof body !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as object as never) : undefined;
  } catch {
    return undefined;
  }
}

function charactersOf(value: unknown, deepest: number): number {
  if (typeof value === "string")
    return value.startsWith("data:") ? MEDIA_TOKENS * CHARACTERS_OF_TOKEN : value.length;
  if (typeof value !== "object" || value === null || deepest === 0) return 0;
  let sum = 0;
  for (const [field, part] of Object.entries(value)) {
    const isData = BASE64_FIELDS.has(field) && typeof part === "string";
    sum += isData ? MEDIA_TOKENS * CHARACTERS_OF_TOKEN : charactersOf(part, deepest - 1);
  }
  return sum;
}
