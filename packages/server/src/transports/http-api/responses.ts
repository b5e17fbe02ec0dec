/** What routes can answer, in the words of JSON Schema. */
import { REQUEST_CODES } from "../../error-codes.ts";

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
