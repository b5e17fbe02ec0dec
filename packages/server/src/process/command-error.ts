import { getSystemErrorMap } from "node:util";
import type { CommandCode } from "../error-codes.ts";

/** Thrown if a command, or `watchRules`, can't do its work. Commands print no stack trace. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: CommandCode;

  constructor(code: CommandCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the system's message for a failed call, such as "no such file or directory". */
export function systemMessage(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}
