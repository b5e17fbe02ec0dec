/** The option for how long a service answers after the first stop signal. */
import type { Option } from "commander";
import { timeOption } from "./time-option.ts";

export type DrainOptions = {
  /** How long to answer after the first stop signal, in milliseconds. */
  readonly drain: number;
};

/** Creates the option. It overrides its environment variable. */
export function drainOption(): Option {
  return timeOption({
    flags: "--drain <time>",
    about:
      "how long to keep answering after a stop signal, with failing health checks, such as 10s; " +
      "at most 1h",
    env: "SPILLWAY_DRAIN",
    usual: "0",
    orNone: true,
    most: "1h",
  });
}
