/** The responses of routes, as JSON Schema. */
import { REQUEST_CODES } from "../../error-codes.ts";
import { described, list, open, text, whole } from "./json-schema.ts";

/** Mistakes and probable mistakes in rule files. */
export const problemsSchema = list(
  open(
    {
      file: text,
      line: described("integer", "From 1, like the column"),
      column: whole,
      code: text,
      found: text,
      expected: text,
      hint: text,
    },
    ["file", "line", "column", "code", "found", "expected"],
  ),
);

/** A problem (RFC 9457). */
export const problemSchema = {
  $id: "Problem",
  ...open(
    {
      type: described("string", "about:blank; `code` identifies the problem"),
      title: text,
      status: whole,
      detail: described("string", "The value found, the value expected, and the way out"),
      code: { ...text, enum: REQUEST_CODES },
      version: described("integer", "The present version, for the code version-conflict"),
      newer: {
        ...described("object", "The entry of the audit log that is newer, for version-conflict"),
        additionalProperties: true,
      },
      problems: {
        ...problemsSchema,
        description: "The first hundred mistakes, for the code bad-rules",
      },
    },
    ["type", "title", "status", "detail", "code"],
  ),
} as const;

/** The names of the schemas of bodies. */
type BodyName = `${string}Response` | `${string}Rules`;

/** A response whose body has a named schema. */
export function jsonResponse(description: string, name: BodyName) {
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

/** The response of a route without a fallback while the store is unavailable. */
export const STORE_SILENT = problemResponse("The store gave no answer");

/** The security scheme and the refusals of every route that needs the admin token. */
export const adminOnly = {
  security: [{ adminToken: [] }],
  responses: {
    401: problemResponse("The admin token is required"),
    403: problemResponse("An admin token is required, or the request comes from a web page"),
  },
} as const;
