/**
 * Hides the command that ioredis attaches to an error from programs that print the error.
 *
 * Its arguments are keys, states, or a wrong password. It can still be read by its name.
 */
export function quiet<T>(error: T): T {
  if (error instanceof Error && Object.hasOwn(error, "command")) {
    Object.defineProperty(error, "command", { enumerable: false });
  }
  return error;
}
