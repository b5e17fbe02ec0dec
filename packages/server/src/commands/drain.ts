/** The time in which a service that is to stop says so of its health, and answers as ever. */
import { alarm } from "spillway/core";
import type { Log } from "../telemetry/index.ts";
import { timeOption } from "./time-option.ts";

export type DrainOptions = {
  /** Milliseconds. */
  readonly drain: number;
};

/** Makes the option; it overrides its variable of the environment. */
export function drainOption() {
  return timeOption({
    flags: "--drain <time>",
    about:
      "how long a service that is to stop still takes requests while its health says so, such as 10s; at most 1h",
    env: "SPILLWAY_DRAIN",
    usual: "0",
    orNone: true,
    most: "1h",
  });
}

/** What ends a service. */
export type Stopping = {
  /** Resolves when it is to stop, with the reason. */
  readonly why: Promise<string>;
  /** Resolves at the second request: it is to wait for nothing. */
  readonly again: Promise<unknown>;
};

type Drained = DrainOptions & {
  readonly log: Log;
  /** Has its health say that it stops. */
  readonly begin: () => void;
};

/** Waits until it is to stop, and then as long as it drains. Returns the reason. */
export async function drained(stopping: Stopping, options: Drained): Promise<string> {
  const { drain, log, begin } = options;
  const why = await stopping.why;
  begin();
  if (drain === 0) return why;
  log.info(`${why}: not ready any more, and answering for another ${drain} ms (--drain)`);
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    cancel = alarm(drain, resolve);
  });
  await Promise.race([over, stopping.again]);
  cancel();
  return why;
}
