/** Options that can also be set by an environment variable. */
import { type Command, Help, Option } from "commander";
import { type Environment, readVariable, toBoolean } from "./variable.ts";

/** Fields of every option. */
type OptionHelp = {
  readonly flags: string;
  readonly about: string;
  readonly env: string;
};

/** An option with a value. */
export type Description = OptionHelp & {
  /** The default, as help shows it. */
  readonly usual?: string | number | undefined;
  /** Parses the value. Default: the text itself. @throws InvalidArgumentError */
  readonly read?: (text: string) => unknown;
};

/** An option without a value. In the environment, a boolean turns it on. */
export type Switch = OptionHelp & {
  /** The boolean that turns it on. Default: true. */
  readonly onWhere?: boolean;
};

/**
 * An option with its variable. Commander does not read the variable, because it takes any text for
 * a yes.
 */
export class VariableOption extends Option {
  readonly variable: string;
  readonly read: (text: string) => unknown;

  constructor({ flags, about, env }: OptionHelp, read: (text: string) => unknown) {
    super(flags, about);
    this.variable = env;
    this.read = read;
  }
}

/** Creates an option. It overrides its environment variable. */
export function optionOf({ usual, read, ...shown }: Description): VariableOption {
  const option = new VariableOption(shown, read ?? ((text) => text));
  option.default(usual);
  if (read !== undefined) option.argParser(read);
  return option;
}

/** Creates a switch. It overrides its environment variable. */
export function switchOf({ onWhere = true, ...shown }: Switch): VariableOption {
  return new VariableOption(shown, (text) => toBoolean(text) === onWhere);
}

/**
 * Sets the options of a command that only the environment has.
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

/** Returns help's text for an option, with its variable. Pure. */
export function describeOption(option: Option): string {
  if (!(option instanceof VariableOption)) return help.optionDescription(option);
  return help.optionDescription(Object.assign(Object.create(option), { envVar: option.variable }));
}
