/** Receives warnings: something works, but is probably not what was meant. */
export type Warn = (message: string) => void;

declare const console: { warn(message: string): void };

let isQuiet = false;

/** To the console. */
export const consoleWarn: Warn = (message) => {
  if (!isQuiet) console.warn(`spillway: ${message}`);
};

/**
 * Keeps warnings off the console, in the whole process, until the function is called that it
 * returns: for tests that provoke them. A `warn` of the program's own is called all the same.
 */
export function quietWarnings(): () => void {
  isQuiet = true;
  return () => {
    isQuiet = false;
  };
}
