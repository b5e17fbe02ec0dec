/** Reads environment variables. */
import { InvalidArgumentError } from "commander";
import { display } from "spillway/support";
import { CommandError } from "../command-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Variable<T> = {
  readonly name: string;
  /** Parses the text. @throws InvalidArgumentError */
  readonly read: (text: string) => T;
};

/**
 * Reads a variable. Undefined if it is not set, or empty.
 *
 * @throws CommandError `bad-variable`
 */
export function readVariable<T>(env: Environment, { name, read }: Variable<T>): T | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new CommandError("bad-variable", `${name} is ${display(text)}. ${error.message}`);
  }
}

const YES = ["true", "1", "t", "T", "TRUE", "True"];
const NO = ["false", "0", "f", "F", "FALSE", "False"];

/** Parses a boolean as Go's `strconv.ParseBool` does. Pure. @throws InvalidArgumentError */
export function toBoolean(text: string): boolean {
  if (YES.includes(text)) return true;
  if (NO.includes(text)) return false;
  throw new InvalidArgumentError(`Expected ${YES.join(", ")} or ${NO.join(", ")}.`);
}
