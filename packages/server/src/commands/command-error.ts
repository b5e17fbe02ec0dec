import { getSystemErrorMap } from "node:util";
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

/** Why nothing can listen at an address. */
export function cannotListen(
  error: unknown,
  { where, option }: { readonly where: string; readonly option: string },
): CommandError {
  if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
    const hint = `choose another port with ${option}; 0 takes any that is free`;
    return new CommandError("port-in-use", `another program listens on ${where}; ${hint}`);
  }
  return new CommandError("address-unusable", `can't listen on ${where}: ${systemMessage(error)}`);
}
