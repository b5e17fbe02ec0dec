/** Receives warnings about code that works, but is probably a mistake. */
export type Warn = (message: string) => void;

declare const console: { warn(message: string): void };

let isQuiet = false;

/** To the console. */
export const consoleWarn: Warn = (message) => {
  if (!isQuiet) console.warn(`spillway: ${message}`);
};

/**
 * Suppresses warnings on the console in the whole process, until the returned function is called.
 * For tests that cause warnings. A program's own `warn` is still called.
 */
export function quietWarnings(): () => void {
  isQuiet = true;
  return () => {
    isQuiet = false;
  };
}
