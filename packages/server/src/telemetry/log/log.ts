/** Where a service writes what its operator is to know. */
import { type Clock, systemClock, type Warn } from "spillway/core";
import { LOG_LEVELS, type LogLevel, type LogLevels } from "../../transports/http-api/index.ts";

/** Fields of a line for machines; text for people leaves them out. */
export type Fields = Readonly<Record<string, unknown>>;

/** A line each, with the time. Its level, and whether keys are named, can be changed at any time. */
export type Log = LogLevels & {
  /** Frequent events, for whoever looks for something. */
  readonly debug: (message: string, fields?: Fields) => void;
  /** Events that are as they should be. */
  readonly info: (message: string, fields?: Fields) => void;
  /** Events that are not. */
  readonly warn: Warn & ((message: string, fields?: Fields) => void);
  /** Whether lines of a level are written. */
  readonly isOn: (level: LogLevel) => boolean;
};

/** Writes a line that is not held back. */
export type Write = (level: LogLevel, message: string, fields: Fields) => void;

/** Makes a log that writes nothing below its level. */
export function leveled(write: Write, level: LogLevel = "info"): Log {
  const now = { level, keys: false };
  const log = {
    get level() {
      return now.level;
    },
    set level(changed) {
      now.level = changed;
    },
    get keys() {
      return now.keys;
    },
    set keys(changed) {
      now.keys = changed;
    },
    isOn: (one: LogLevel) => LOG_LEVELS.indexOf(one) >= LOG_LEVELS.indexOf(now.level),
    debug: (message: string, fields: Fields = {}) => say("debug", message, fields),
    info: (message: string, fields: Fields = {}) => say("info", message, fields),
    warn: (message: string, fields: Fields = {}) => say("warn", message, fields),
  };
  const say = (one: LogLevel, message: string, fields: Fields) => {
    if (log.isOn(one)) write(one, message, fields);
  };
  return log;
}

/** Makes a log on the console. Of a message of many lines, such as a stack, each gets the time. */
export function consoleLog(clock: Clock = systemClock, level: LogLevel = "info"): Log {
  const stamped = (message: string) => {
    const time = new Date(clock()).toISOString();
    return message.replace(/^/gm, `${time} `);
  };
  return leveled((one, message) => {
    if (one === "warn") console.warn(stamped(`spillway: ${message}`));
    else console.log(stamped(message));
  }, level);
}

/** The same log, each line of which begins with a name. */
export function named(log: Log, name: string): Log {
  const of = (level: "debug" | "info" | "warn") => (message: string, fields?: Fields) =>
    log[level](`${name}: ${message}`, { ...fields, of: name });
  return Object.create(log, {
    debug: { value: of("debug") },
    info: { value: of("info") },
    warn: { value: of("warn") },
  });
}
