/** The JavaScript of a module in TypeScript, line by line where it was. */
export function stripped(source: string): string;
