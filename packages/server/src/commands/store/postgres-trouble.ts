/** What is wrong with a database, and what helps, as messages may say it. All pure. */
import { printable, SpillwayError } from "spillway/core";

/** What is asked. */
export type Target = {
  /** What messages call the database. */
  readonly name: string;
  readonly schema: string;
};

/** What an error says, or what helps where that is known. */
export function troubleOf(error: unknown, target: Target): string {
  if (error instanceof SpillwayError && error.code === "bad-schema") return notInstalled(target);
  // Where a host has several addresses each has an error, and the whole has no message.
  const errors: readonly Error[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map(({ message }) => printable(message)).join(", ");
}

/** What there is to do where a schema is missing, or older than this program. */
export function notInstalled({ name, schema }: Target): string {
  const option = schema === "spillway" ? "" : ` --schema ${schema}`;
  const command = `spillway migrate --store ${name}${option}`;
  return `schema ${schema} is not installed there, or is too old; run ${command}`;
}
