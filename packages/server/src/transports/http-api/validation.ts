/** Describes mistakes in a body, from the errors of the JSON Schema validator. */
import type { FastifySchemaValidationError } from "fastify/types/schema.js";
import { display, nearest } from "spillway/support";
import { LEASE_PATTERN, RequestError } from "../../service/index.ts";

/** An error of the validator, with the fields that verbose mode adds. */
type Finding = FastifySchemaValidationError & {
  readonly data?: unknown;
  readonly parentSchema?: { readonly properties?: object };
};

/** Returns the error for the first mistake. */
export function bodyError(
  findings: readonly FastifySchemaValidationError[],
  part = "body",
): RequestError {
  const finding = findings[0] as Finding;
  const { keyword, params } = finding;
  const place = placeOf({ path: finding.instancePath, part });
  if (keyword === "additionalProperties") return unknownField(finding, place);
  if (keyword === "required") {
    const detail = `Found no field ${display(params.missingProperty)} in ${place}, expected one`;
    return new RequestError({ status: 400, code: "missing-field", detail });
  }
  const detail = `Found ${display(finding.data)} as ${place}, expected ${expectation(finding)}`;
  return new RequestError({ status: 400, code: "bad-field", detail });
}

function unknownField({ params, parentSchema }: Finding, place: string): RequestError {
  const name = String(params.additionalProperty);
  const known = Object.keys(parentSchema?.properties ?? {});
  const near = nearest(name, known);
  const hint = near === undefined ? "" : `. Did you mean ${near}?`;
  const expected = `only ${known.join(", ")}${hint}`;
  const detail = `Found a field ${display(name)} in ${place}, expected ${expected}`;
  return new RequestError({ status: 400, code: "unknown-field", detail });
}

function expectation({ keyword, params, message }: Finding): string {
  if (keyword === "type") return [params.type].flat().join(" or ");
  if (keyword === "minimum") return `${params.limit} or more`;
  if (keyword === "maximum") return `${params.limit} or less`;
  if (keyword === "minItems") return `${params.limit} or more of them`;
  if (keyword === "maxItems") return `${params.limit} or fewer of them`;
  if (keyword === "maxLength") return `${params.limit} characters or fewer`;
  if (keyword === "minLength") return "a text that is not empty";
  if (keyword === "pattern") return patternExpectation(params);
  if (keyword === "not") return "each field in one spelling";
  if (keyword === "enum") return [params.allowedValues].flat().join(" or ");
  return message ?? keyword;
}

/** The pattern of a text that is more than white space, without control characters. */
export const NOT_BLANK = "^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$";

function patternExpectation({ pattern }: Finding["params"]): string {
  if (pattern === LEASE_PATTERN) return "a lease as a response returned it";
  return pattern === NOT_BLANK
    ? "a text that is not blank, without control characters"
    : "a whole number";
}

/** Formats `/descriptors/0/count` as `descriptors[0].count`. */
function placeOf({ path, part }: { readonly path: string; readonly part: string }): string {
  if (path === "") return part === "querystring" ? "the query" : "the body";
  return path
    .slice(1)
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
}
