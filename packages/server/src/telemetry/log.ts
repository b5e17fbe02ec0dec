import { type Clock, systemClock, type Warn } from "spillway/core";

/** Where a service writes what its operator is to know, a line each, with the time. */
export type Log = {
  /** What is as it should be: to stdout. */
  readonly info: (message: string) => void;
  /** What is not: to stderr. */
  readonly warn: Warn;
};

/** Makes a log on the console. Of a message of many lines, such as a stack, each gets the time. */
export function consoleLog(clock: Clock = systemClock): Log {
  const stamped = (message: string) => {
    const time = new Date(clock()).toISOString();
    return message.replace(/^/gm, `${time} `);
  };
  return {
    info: (message) => console.log(stamped(message)),
    warn: (message) => console.warn(stamped(`spillway: ${message}`)),
  };
}
