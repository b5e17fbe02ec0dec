/** Options that a variable of the environment gives as well. */
import { type Command, Help, Option } from "commander";
import { type Environment, readVariable, toBoolean } from "./variable.ts";

/** Fields of every option. */
type Shown = {
  readonly flags: string;
  readonly about: string;
  readonly env: string;
};

/** An option with a value. */
export type Description = Shown & {
  /** The default, as help shows it. */
  readonly usual?: string | number | undefined;
  /** Makes a value of its text; the text itself by default. @throws InvalidArgumentError */
  readonly read?: (text: string) => unknown;
};

/** An option without a value, which the environment turns on by a boolean. */
export type Switch = Shown & {
  /** The boolean that turns it on. Default: true. */
  readonly onWhere?: boolean;
};

/** An option with its variable. Commander doesn't read that: it takes any text for a yes. */
export class VariableOption extends Option {
  readonly variable: string;
  readonly read: (text: string) => unknown;

  constructor({ flags, about, env }: Shown, read: (text: string) => unknown) {
    super(flags, about);
    this.variable = env;
    this.read = read;
  }
}

/** Makes an option; it overrides its variable of the environment. */
export function optionOf({ usual, read, ...shown }: Description): VariableOption {
  const option = new VariableOption(shown, read ?? ((text) => text));
  option.default(usual);
  if (read !== undefined) option.argParser(read);
  return option;
}

/** Makes a switch; it overrides its variable of the environment. */
export function switchOf({ onWhere = true, ...shown }: Switch): VariableOption {
  return new VariableOption(shown, (text) => toBoolean(text) === onWhere);
}

/**
 * Gives a command the options that only the environment has.
 *
 * @throws CommandError `bad-variable`
 */
export function readVariables(command: Command, env: Environment): void {
  for (const option of command.options) {
    if (!(option instanceof VariableOption)) continue;
    const key = option.attributeName();
    if (command.getOptionValueSource(key) === "cli") continue;
    const value = readVariable(env, { name: option.variable, read: option.read });
    if (value !== undefined) command.setOptionValueWithSource(key, value, "env");
  }
}

const help = new Help();

/** Help's text for an option, with its variable. Pure. */
export function describeOption(option: Option): string {
  if (!(option instanceof VariableOption)) return help.optionDescription(option);
  return help.optionDescription(Object.assign(Object.create(option), { envVar: option.variable }));
}
