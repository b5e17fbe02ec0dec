import { Option } from "commander";

/** An option that the environment may give as well. */
export type Description = {
  readonly flags: string;
  readonly about: string;
  readonly env: string;
  /** The default; undefined for none. */
  readonly usual: string | number | undefined;
};

/** Makes an option; it overrides its variable of the environment. */
export function optionOf({ flags, about, env, usual }: Description): Option {
  return new Option(flags, about).env(env).default(usual);
}
