import { Option } from "commander";

/** An option that the environment may give as well. */
export type Description = {
  readonly flags: string;
  readonly about: string;
  readonly env: string;
  /** The default, as help shows it. */
  readonly usual?: string | number | undefined;
  /** Makes a value of its text; the text itself by default. @throws InvalidArgumentError */
  readonly read?: (text: string) => unknown;
};

/** Makes an option; it overrides its variable of the environment. */
export function optionOf({ flags, about, env, usual, read }: Description): Option {
  const option = new Option(flags, about).env(env).default(usual);
  return read === undefined ? option : option.argParser(read);
}
