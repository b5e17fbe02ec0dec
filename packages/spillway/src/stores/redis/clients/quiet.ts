/**
 * Hides, from whoever prints an error, the command that ioredis puts on it: its arguments are keys, states, or
 * the password that was wrong. It stays there for those who ask for it by name.
 */
export function quiet<T>(error: T): T {
  if (error instanceof Error && Object.hasOwn(error, "command")) {
    Object.defineProperty(error, "command", { enumerable: false });
  }
  return error;
}
