/** Messages about an unusable database, with the remedy. All functions are pure. */
import { SpillwayError } from "spillway/core";
import { printable } from "spillway/support";

/** The database in question. */
export type DatabaseTarget = {
  /** The database's name in messages. */
  readonly name: string;
  readonly schema: string;
};

/** Returns the message of an error, or the remedy if it is known. */
export function troubleOf(error: unknown, target: DatabaseTarget): string {
  if (error instanceof SpillwayError && error.code === "bad-schema") return notInstalled(target);
  // A host with several addresses has an error for each, and the aggregate has no message.
  const errors: readonly Error[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map(({ message }) => printable(message)).join(", ");
}

/** Returns the remedy for a schema that is missing, or older than this program. */
export function notInstalled({ name, schema }: DatabaseTarget): string {
  const option = schema === "spillway" ? "" : ` --schema ${schema}`;
  const command = `spillway migrate --store ${name}${option}`;
  return `schema ${schema} is not installed there, or is too old; run ${command}`;
}
