/** Where a warning goes: something is probably not what was meant, but works. */
export type Warn = (message: string) => void;

declare const console: { warn(message: string): void };

/** To the console. */
export const consoleWarn: Warn = (message) => console.warn(`spillway: ${message}`);
