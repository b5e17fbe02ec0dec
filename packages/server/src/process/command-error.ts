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
