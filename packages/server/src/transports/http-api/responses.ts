/** What routes can answer, in the words of JSON Schema. */
import { REQUEST_CODES } from "../../error-codes.ts";

/** Mistakes in rule files, or what may be some. */
export const problemsSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["file", "line", "column", "code", "found", "expected"],
    properties: {
      file: { type: "string" },
      line: { type: "integer", description: "From 1, like the column" },
      column: { type: "integer" },
      code: { type: "string" },
      found: { type: "string" },
      expected: { type: "string" },
      hint: { type: "string" },
    },
  },
} as const;

/** A problem (RFC 9457). */
export const problemSchema = {
  $id: "Problem",
  type: "object",
  required: ["type", "title", "status", "detail", "code"],
  properties: {
    type: { type: "string", description: "about:blank; `code` says more" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What was found, what was expected, a way out" },
    code: { type: "string", enum: REQUEST_CODES },
    problems: { ...problemsSchema, description: "Of bad-rules: the first hundred mistakes" },
  },
} as const;

/** A response whose body is a schema added under a name. */
export function jsonResponse(description: string, name: string) {
  return response(description, { name, mediaType: "application/json" });
}

/** A response whose body is a problem. */
export function problemResponse(description: string) {
  return response(description, { name: "Problem", mediaType: "application/problem+json" });
}

function response(
  description: string,
  { name, mediaType }: { readonly name: string; readonly mediaType: string },
) {
  return { description, content: { [mediaType]: { schema: { $ref: `${name}#` } } } };
}

/** What a route without a fallback answers while the store is away. */
export const STORE_SILENT = problemResponse("The store gave no answer");
