import { SpillwayError } from "./errors.ts";
import { nearest } from "./suggest.ts";

/**
 * Checks the options of something that is made once. Pure.
 *
 * @param of What is made, for the message.
 * @throws SpillwayError `bad-option` where options are none; `unknown-field` for a name that is not known.
 */
export function checkOptions(of: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    const expected = `the options of ${of}, an object`;
    throw new SpillwayError({ code: "bad-option", field: "options", value: options, expected });
  }
  for (const field of Object.keys(options)) {
    if (known.includes(field)) continue;
    const near = nearest(field, known);
    throw new SpillwayError({
      code: "unknown-field",
      field,
      expected: `the options of ${of} are ${known.join(", ")}`,
      hint: near && `Did you mean ${near}?`,
    });
  }
}
