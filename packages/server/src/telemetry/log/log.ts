/** The log that a service writes for its operator. */
import { type Clock, systemClock, type Warn } from "spillway/core";
import { LOG_LEVELS, type LogLevel, type LogLevels } from "../../transports/http-api/index.ts";

/** Fields of a line for machines. Logs for people leave them out. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes lines with the time. The level, and whether keys are named, can be changed at any time.
 */
export type ServiceLogger = LogLevels & {
  /** Logs frequent events, for debugging. */
  readonly debug: (message: string, fields?: LogFields) => void;
  /** Logs normal events. */
  readonly info: (message: string, fields?: LogFields) => void;
  /** Logs problems. */
  readonly warn: Warn & ((message: string, fields?: LogFields) => void);
  /** Whether lines of a level are written. */
  readonly isOn: (level: LogLevel) => boolean;
};

/** Writes a line whose level is on. */
export type Write = (level: LogLevel, message: string, fields: LogFields) => void;

/** Creates a log that drops lines below its level. */
export function leveled(write: Write, level: LogLevel = "info"): ServiceLogger {
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
    debug: (message: string, fields: LogFields = {}) => say("debug", message, fields),
    info: (message: string, fields: LogFields = {}) => say("info", message, fields),
    warn: (message: string, fields: LogFields = {}) => say("warn", message, fields),
  };
  const say = (one: LogLevel, message: string, fields: LogFields) => {
    if (log.isOn(one)) write(one, message, fields);
  };
  return log;
}

/**
 * Creates a log on the console. Each line of a multi-line message, such as a stack, has the time.
 */
export function consoleLog(clock: Clock = systemClock, level: LogLevel = "info"): ServiceLogger {
  const stamped = (message: string) => {
    const time = new Date(clock()).toISOString();
    return message.replace(/^/gm, `${time} `);
  };
  return leveled((one, message) => {
    if (one === "warn") console.warn(stamped(`spillway: ${message}`));
    else console.log(stamped(message));
  }, level);
}

/** Returns a log that puts a name before each line. */
export function named(log: ServiceLogger, name: string): ServiceLogger {
  const of = (level: "debug" | "info" | "warn") => (message: string, fields?: LogFields) =>
    log[level](`${name}: ${message}`, { ...fields, of: name });
  return Object.create(log, {
    debug: { value: of("debug") },
    info: { value: of("info") },
    warn: { value: of("warn") },
  });
}
