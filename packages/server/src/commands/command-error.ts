import { getSystemErrorMap } from "node:util";
import { printable } from "spillway/core";
import type { CommandCode } from "../error-codes.ts";

/** Why a command can't do its work; said without a stack trace. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: CommandCode;

  constructor(code: CommandCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the system says of a failed call, such as "no such file or directory". */
export function systemMessage(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}

/** An address, and what its port is set by: an option, or a variable of the environment. */
export type Listening = {
  readonly host: string;
  readonly port: number;
  readonly option: string;
  readonly variable: string;
};

/** Why nothing can listen at an address. */
export function cannotListen(error: unknown, listening: Listening): CommandError {
  const where = `${printable(listening.host)}:${listening.port}`;
  if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
    const hint = `choose another port with ${howToSet(listening)}; 0 takes any that is free`;
    return new CommandError("port-in-use", `another program listens on ${where}; ${hint}`);
  }
  return new CommandError("address-unusable", `can't listen on ${where}: ${systemMessage(error)}`);
}

/** `npm start` takes no options of the service; npm names to a script which of its scripts it is. */
function howToSet({ option, variable, port }: Listening): string {
  if (process.env.npm_lifecycle_event !== "start") return `${option} or ${variable}`;
  const other = port < 60_000 ? port + 1000 : port - 1000;
  return process.platform === "win32"
    ? `the variable ${variable}, then npm start`
    : `${variable}=${other} npm start`;
}
