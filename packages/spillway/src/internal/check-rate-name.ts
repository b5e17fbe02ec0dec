import { isConcurrency, type Limits, SpillwayError } from "../core/index.ts";

/** Whether units can be taken of a limit of that name. @throws SpillwayError `unknown-limit`, `wrong-kind` */
export function checkRateName(limits: Limits, field: string, name: unknown): void {
  const limit = typeof name === "string" && Object.hasOwn(limits, name) ? limits[name] : undefined;
  if (limit === undefined) {
    const names = Object.keys(limits).map((each) => `"${each}"`);
    const expected = `one of ${names.join(", ")}`;
    throw new SpillwayError({ code: "unknown-limit", field, value: name, expected });
  }
  if (!isConcurrency(limit)) return;
  const expected = "a rate, of which units are taken";
  throw new SpillwayError({ code: "wrong-kind", field, value: name, expected });
}
