import { getSystemErrorMap } from "node:util";

/** Returns the system's message for a failed call, such as "no such file or directory". */
export function systemMessage(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}
